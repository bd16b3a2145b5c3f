// SPDX-License-Identifier: Apache-2.0
package dev.volary.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The problems on grids by relaxation and by the default method, whole {@code volary run} commands alternately, each with two
 * daemons that compute one block.
 */
public final class MethodComparison {

    /**
     * A job.
     *
     * @param problem as in a manifest, up to its parameters' closing brace
     */
    private record Job(String name, String problem, String relaxation, String tolerance) {

        String manifest(String method) {
            return """
                    apiVersion: volary.dev/v1alpha1
                    kind: IterativeJob
                    metadata: {name: methods}
                    spec:
                      problem: %s%s}}
                      daemons: {replicas: 2}
                      spawners: {replicas: 1}
                      convergence: {tolerance: "%s"}
                      activeDeadlineSeconds: 3600
                    """.formatted(problem, method.isEmpty() ? "" : ", method: " + method, tolerance);
        }
    }

    private static final List<Job> JOBS = List.of(
            new Job("obstacle3d 63", "{type: obstacle3d, parameters: {points: 63", "Relaxation", "1e-6"),
            new Job("obstacle3d 127", "{type: obstacle3d, parameters: {points: 127", "Relaxation", "1e-6"),
            new Job("obstacle3d 159", "{type: obstacle3d, parameters: {points: 159", "Relaxation", "1e-6"),
            new Job("heat2d 511", "{type: heat2d, parameters: {points: 511", "PointJacobi", "1e-6"),
            new Job(
                    "heat2d-implicit 511",
                    "{type: heat2d-implicit, parameters: {points: 511, steps: 5, stepLength: 0.001",
                    "PointJacobi",
                    "1e-6"));

    private MethodComparison() {}

    /** Takes the number of rounds, 1 if not given, and what the names of the jobs begin with, all if not given. */
    public static void main(String[] args) throws IOException, InterruptedException {
        int rounds = args.length > 0 ? Integer.parseInt(args[0]) : 1;
        String prefix = args.length > 1 ? args[1] : "";
        for (Job job : JOBS) {
            if (job.name().startsWith(prefix)) {
                compare(job, rounds);
            }
        }
    }

    private static void compare(Job job, int rounds) throws IOException, InterruptedException {
        List<Double> ratios = new ArrayList<>();
        for (int round = 0; round < rounds; round++) {
            VolaryRun standard = run(job, "");
            VolaryRun relaxed = run(job, job.relaxation());
            ratios.add(relaxed.seconds() / standard.seconds());
            System.out.printf(
                    Locale.ROOT,
                    "%s: %s %.1f s (%.1f s computing, %.0f iterations), default %.1f s (%.1f s, %.0f)%n",
                    job.name(),
                    job.relaxation(),
                    relaxed.seconds(),
                    relaxed.summary("computing_s"),
                    relaxed.summary("iterations"),
                    standard.seconds(),
                    standard.summary("computing_s"),
                    standard.summary("iterations"));
        }
        System.out.println(job.name() + ": " + job.relaxation() + " / default: " + Median.of(ratios));
    }

    private static VolaryRun run(Job job, String method) throws IOException, InterruptedException {
        VolaryRun run = VolaryRun.of(job.manifest(method), "--no-picture");
        if (run.status() != 0) {
            throw new IllegalStateException(job.name() + " by " + method + " ended with status " + run.status());
        }
        return run;
    }
}
