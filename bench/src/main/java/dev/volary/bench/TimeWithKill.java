// SPDX-License-Identifier: Apache-2.0
package dev.volary.bench;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * The time of a job that loses one daemon at a given age, against the same job without a loss. Iterations are stretched, so that a
 * few processors stand for a machine for each daemon.
 */
public final class TimeWithKill {
    private static final double[] AGES = {1, 2, 5, 10, 30};
    private static final double TARGET = 1.10;
    private static final double START_SECONDS = 60;
    /** Runs without a kill vary less than those with one. */
    private static final int ROUNDS_PER_CALM_RUN = 4;

    private static final int DAEMONS = 4;
    /** Long enough that two processors keep up with it. */
    private static final double CALIBRATION_MILLIS = 10;

    private TimeWithKill() {}

    /** Takes the seconds of a job without a kill (60), the number of kills of each age (3), and a seed (1). */
    public static void main(String[] args) throws IOException, InterruptedException {
        double length = args.length > 0 ? Double.parseDouble(args[0]) : 60;
        int kills = args.length > 1 ? Integer.parseInt(args[1]) : 3;
        SplittableRandom random = new SplittableRandom(args.length > 2 ? Long.parseLong(args[2]) : 1);
        double pace = CALIBRATION_MILLIS * length / seconds(CALIBRATION_MILLIS, 0, random);
        System.out.printf(Locale.ROOT, "%d daemons, one standby, iterations of %.0f ms%n", DAEMONS, pace);
        List<Double> calm = new ArrayList<>();
        SortedMap<Double, List<Double>> killed = new TreeMap<>();
        for (int round = 0; round < kills; round++) {
            if (round % ROUNDS_PER_CALM_RUN == 0) {
                calm.add(measure(pace, 0, random));
            }
            for (double age : AGES) {
                killed.computeIfAbsent(age, none -> new ArrayList<>()).add(measure(pace, age, random));
            }
        }
        double without = Median.of(calm).median();
        System.out.printf(Locale.ROOT, "without a kill %s s%n", Median.of(calm));
        killed.forEach((age, times) -> {
            Median ratio = Median.of(times.stream().map(time -> time / without).toList());
            System.out.printf(
                    Locale.ROOT,
                    "killed at %2.0f s: %s of the time, target at most %.2f: %s%n",
                    age,
                    ratio,
                    TARGET,
                    ratio.median() <= TARGET ? "reached" : "MISSED");
        });
    }

    /** Prints the seconds of a run, so that a long measurement can be followed. */
    private static double measure(double pace, double age, SplittableRandom random)
            throws IOException, InterruptedException {
        double seconds = seconds(pace, age, random);
        System.out.printf(
                Locale.ROOT,
                "  %s %.1f s%n",
                age > 0 ? String.format(Locale.ROOT, "killed at %2.0f s:", age) : "without a kill:",
                seconds);
        return seconds;
    }

    /** Seconds from iterating to certified; one daemon is killed at that age unless it is 0. */
    private static double seconds(double paceMillis, double age, SplittableRandom random)
            throws IOException, InterruptedException {
        String manifest = """
                apiVersion: volary.dev/v1alpha1
                kind: IterativeJob
                metadata: {name: killed}
                spec:
                  problem: {type: heat2d, parameters: {points: 63, boundary: Series, method: PointJacobi}}
                  daemons: {replicas: %d, standbys: 1}
                  convergence: {tolerance: "1e-4"}
                  activeDeadlineSeconds: 3600
                """.formatted(DAEMONS);
        String pace = Math.max(1, Math.round(paceMillis)) + "ms";
        try (StartedJob job = StartedJob.of(manifest, "--threads", "1", "--pace", pace)) {
            job.awaitServing(DAEMONS, START_SECONDS);
            if (age > 0) {
                Thread.sleep((long) (age * 1000));
                List<JsonNode> serving = job.serving();
                job.kill(
                        serving.get(random.nextInt(serving.size())).path("name").asText());
            }
            int status = job.end();
            if (status != 0) {
                throw new IllegalStateException("the job ended with status " + status);
            }
            return job.lines().stream()
                    .filter(line -> line.path("type").asText().equals("summary"))
                    .findFirst()
                    .orElseThrow(() -> new IllegalStateException("the job ended without a summary"))
                    .path("computing_s")
                    .asDouble();
        }
    }
}
