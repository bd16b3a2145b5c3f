// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.pod;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The JVM of workers that tests start. As in an image, it has an AOT cache and Netty's OpenSSL, so that a start takes two thirds of
 * the processor time. Both are made once for each JVM that runs tests.
 */
final class TrainedJvm {
    private static final Path HOME = installed();

    private TrainedJvm() {}

    /** The command line up to the class path. */
    static List<String> command(String... flags) {
        List<String> command = untrained(HOME);
        command.addAll(List.of(flags));
        command.add("-XX:AOTCache=" + cache(HOME));
        command.addAll(List.of("-cp", jars().collect(Collectors.joining(File.pathSeparator))));
        return command;
    }

    private static List<String> untrained(Path home) {
        return new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-XX:-UsePerfData",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-Djava.library.path=" + home.resolve("native"),
                "-Dio.grpc.netty.shaded.io.netty.handler.ssl.noOpenSsl=false",
                "-Dio.grpc.netty.shaded.io.netty.leakDetection.level=disabled"));
    }

    private static Path cache(Path home) {
        return home.resolve("worker.aot");
    }

    /** A cache is bound to its jars; folders on the class path are not allowed. */
    private static Stream<String> jars() {
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> entry.endsWith(".jar"));
    }

    private static Path installed() {
        try {
            Path home = Files.createTempDirectory(Path.of("target"), "jvm").toAbsolutePath();
            Path netty = jars().map(Path::of)
                    .filter(jar -> jar.getFileName().toString().startsWith("grpc-netty-shaded-"))
                    .findFirst()
                    .orElseThrow();
            run(
                    home,
                    List.of(
                            "sh",
                            "../dist/native-tls.sh",
                            System.getProperty("java.home"),
                            netty.resolveSibling("").toString(),
                            home.toString()));
            List<String> training = untrained(home);
            training.add("-XX:AOTCacheOutput=" + cache(home));
            training.addAll(List.of("-cp", jars().collect(Collectors.joining(File.pathSeparator))));
            training.add("dev.volary.worker.training.AotTraining");
            training.add("image/training.json");
            training.add(home.resolve("result").toString());
            run(home, training);
            return home;
        } catch (IOException e) {
            throw new IllegalStateException("the JVM of workers cannot be prepared", e);
        }
    }

    private static void run(Path home, List<String> command) throws IOException {
        Path said = home.resolve("said.txt");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(said.toFile()))
                .start();
        int status = process.onExit().join().exitValue();
        if (status != 0) {
            throw new IOException(command.getFirst() + " ended with status " + status + "; see " + said);
        }
    }
}
