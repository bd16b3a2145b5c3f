// SPDX-License-Identifier: Apache-2.0
package dev.volary.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * A small job from Enter to exit, warm, against six bare JVMs at once that do one gRPC round trip over mutual TLS each, with
 * the same flags: serial collector, C1 only, an AOT cache of their own without replay of its profiles.
 */
public final class StartUp {
    private static final double MOST_SECONDS = 6;
    private static final double MOST_RATIO = 1.5;
    private static final int JVMS = 6;

    private StartUp() {}

    /** Takes the number of rounds, 5 if not given. */
    public static void main(String[] args) throws IOException, InterruptedException {
        int rounds = args.length > 0 ? Integer.parseInt(args[0]) : 5;
        String manifest = Files.readString(Path.of("examples/heat-small.yaml"));
        Path cache = Files.createTempFile("bare", ".aot");
        try {
            bare("-XX:AOTCacheOutput=" + cache).waitFor();
            VolaryRun.of(manifest);
            List<Double> times = new ArrayList<>();
            List<Double> ratios = new ArrayList<>();
            for (int round = 1; round <= rounds; round++) {
                VolaryRun run = VolaryRun.of(manifest);
                if (run.status() != 0) {
                    throw new IllegalStateException("volary run ended with status " + run.status());
                }
                double bare = six("-XX:AOTCache=" + cache);
                times.add(run.seconds());
                ratios.add(run.seconds() / bare);
                System.out.printf(
                        Locale.ROOT,
                        "round %d: volary run %.2f s, six bare JVMs %.2f s, ratio %.2f%n",
                        round,
                        run.seconds(),
                        bare,
                        run.seconds() / bare);
            }
            System.out.println("seconds: " + Median.of(times) + ", target at most " + MOST_SECONDS);
            System.out.println("volary run / six bare JVMs: " + Median.of(ratios) + ", target at most " + MOST_RATIO);
        } finally {
            Files.deleteIfExists(cache);
        }
    }

    private static double six(String aot) throws IOException, InterruptedException {
        long start = System.nanoTime();
        List<Process> processes = new ArrayList<>();
        for (int i = 0; i < JVMS; i++) {
            processes.add(bare(aot));
        }
        for (Process process : processes) {
            if (!process.waitFor(60, TimeUnit.SECONDS) || process.exitValue() != 0) {
                throw new IllegalStateException("a bare JVM failed");
            }
        }
        return (System.nanoTime() - start) / 1e9;
    }

    private static Process bare(String aot) throws IOException {
        // From jars: an AOT cache cannot be made from folders of classes.
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-XX:-UsePerfData",
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UnlockDiagnosticVMOptions",
                        "-XX:-AOTReplayTraining",
                        "--enable-native-access=ALL-UNNAMED",
                        "--sun-misc-unsafe-memory-access=allow",
                        aot,
                        "-cp",
                        jar() + ":bench/target/dependency/*",
                        "dev.volary.bench.BareNode")
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    private static String jar() throws IOException {
        try (var files = Files.list(Path.of("bench/target"))) {
            return files.map(Path::toString)
                    .filter(name -> name.endsWith(".jar") && name.contains("bench-"))
                    .findFirst()
                    .orElseThrow(() -> new IllegalStateException("bench/target holds no jar; start with bench/run"));
        }
    }
}
