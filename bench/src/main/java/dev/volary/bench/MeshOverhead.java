// SPDX-License-Identifier: Apache-2.0
package dev.volary.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What the mesh costs computing: updates a second of four daemons on this machine's processors, one compute thread each,
 * against one process that does the same updates in two threads with halos in shared memory.
 */
public final class MeshOverhead {
    private static final double TARGET = 0.9;
    /** C2 takes its time where two processors carry four daemons. */
    private static final int WARM_UP_SECONDS = 45;

    private static final int MEASURE_SECONDS = 20;

    private MeshOverhead() {}

    /** Takes unknowns per edge (1024), rounds (3) and seconds of warm-up (45). */
    public static void main(String[] args) throws IOException, InterruptedException {
        int n = args.length > 0 ? Integer.parseInt(args[0]) : 1024;
        int rounds = args.length > 1 ? Integer.parseInt(args[1]) : 3;
        int warm = args.length > 2 ? Integer.parseInt(args[2]) : WARM_UP_SECONDS;
        List<Double> ratios = new ArrayList<>();
        for (int round = 1; round <= rounds; round++) {
            double mesh = withMesh(n, warm);
            double alone = alone(n);
            ratios.add(mesh / alone);
            System.out.printf(
                    Locale.ROOT,
                    "round %d: four daemons %.0f, one process %.0f million updates/s, ratio %.3f%n",
                    round,
                    mesh,
                    alone,
                    mesh / alone);
        }
        System.out.println("four daemons / one process: " + Median.of(ratios) + ", target at least " + TARGET);
    }

    private static double withMesh(int n, int warm) throws IOException, InterruptedException {
        VolaryRun run = VolaryRun.of("""
                apiVersion: volary.dev/v1alpha1
                kind: IterativeJob
                metadata: {name: overhead}
                spec:
                  problem: {type: heat2d, parameters: {points: %d, boundary: Series, method: PointJacobi}}
                  daemons: {replicas: 4}
                  spawners: {replicas: 2}
                  convergence: {tolerance: "1e-8"}
                  activeDeadlineSeconds: %d
                """.formatted(n, warm + MEASURE_SECONDS), "--threads", "1", "--no-picture");
        return run.iterationsPerSecond(warm) * n * n / 4 / 1e6;
    }

    /** In a process of its own, so that both sides start alike. */
    private static double alone(int n) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-Xmx2g",
                        "--add-modules=jdk.incubator.vector",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "dev.volary.bench.OneProcess",
                        Integer.toString(n))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        if (process.waitFor() != 0) {
            throw new IllegalStateException("the process without a mesh failed");
        }
        return Double.parseDouble(said);
    }
}
