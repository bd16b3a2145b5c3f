// SPDX-License-Identifier: Apache-2.0
package dev.volary.bench;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.SplittableRandom;

/**
 * How long a block stands still whose daemon is killed in the first seconds of a job, when backups may not exist yet. Each kill
 * has a job of its own: two spawners, four daemons, standbys as given.
 */
public final class EarlyKills {
    private static final double[] AGES = {1, 2, 5, 10, 30};
    private static final double TARGET_MEDIAN = 1;
    private static final double TARGET_LONGEST = 3;
    private static final double START_SECONDS = 60;
    private static final double OVER_SECONDS = 60;
    private static final int DAEMONS = 4;

    private EarlyKills() {}

    /**
     * Takes the number of kills of each age (3), standbys (1), unknowns per edge (511), a seed (1), and time steps (0 for a stationary
     * problem).
     */
    public static void main(String[] args) throws IOException, InterruptedException {
        int kills = args.length > 0 ? Integer.parseInt(args[0]) : 3;
        int standbys = args.length > 1 ? Integer.parseInt(args[1]) : 1;
        int n = args.length > 2 ? Integer.parseInt(args[2]) : 511;
        SplittableRandom random = new SplittableRandom(args.length > 3 ? Long.parseLong(args[3]) : 1);
        int steps = args.length > 4 ? Integer.parseInt(args[4]) : 0;
        System.out.println("seconds from SIGKILL to the block iterating in another process, by the age of the job");
        for (double age : AGES) {
            List<Double> seconds = new ArrayList<>();
            int restored = 0;
            for (int kill = 0; kill < kills; kill++) {
                Outcome outcome = kill(manifest(n, standbys, steps), age, random);
                seconds.add(outcome.seconds());
                restored += outcome.restored() ? 1 : 0;
            }
            Median median = Median.of(seconds);
            System.out.printf(
                    Locale.ROOT,
                    "age %2.0f s: %s s, target at most %.0f and never above %.0f: %s; %d of %d with a backup%n",
                    age,
                    median,
                    TARGET_MEDIAN,
                    TARGET_LONGEST,
                    median.median() <= TARGET_MEDIAN && median.high() <= TARGET_LONGEST ? "reached" : "MISSED",
                    restored,
                    kills);
        }
    }

    private static String manifest(int n, int standbys, int steps) {
        String problem = steps == 0
                ? "{type: heat2d, parameters: {points: %d, boundary: Series, method: PointJacobi}}".formatted(n)
                : "{type: heat2d-implicit, parameters: {points: %d, method: PointJacobi, steps: %d, stepLength: 0.001}}"
                        .formatted(n, steps);
        return """
                apiVersion: volary.dev/v1alpha1
                kind: IterativeJob
                metadata: {name: early}
                spec:
                  problem: %s
                  daemons: {replicas: %d, standbys: %d}
                  convergence: {tolerance: "1e-10"}
                  activeDeadlineSeconds: 3600
                """.formatted(problem, DAEMONS, standbys);
    }

    private record Outcome(double seconds, boolean restored) {}

    private static Outcome kill(String manifest, double age, SplittableRandom random)
            throws IOException, InterruptedException {
        try (StartedJob job = StartedJob.of(manifest, "--threads", "1")) {
            job.awaitServing(DAEMONS, START_SECONDS);
            Thread.sleep((long) (age * 1000));
            List<JsonNode> serving = job.serving();
            JsonNode chosen = serving.get(random.nextInt(serving.size()));
            String victim = chosen.path("name").asText();
            int block = chosen.path("blocks").get(0).asInt();
            long at = job.kill(victim);
            if (!job.await(() -> iterates(job, block, at).isPresent(), OVER_SECONDS)) {
                throw new IllegalStateException("block " + block + " does not iterate after " + OVER_SECONDS + " s");
            }
            boolean restored = job.marks().stream()
                    .anyMatch(mark -> mark.nanos() > at
                            && mark.is("found", block)
                            && mark.about().get(1).equals("true"));
            return new Outcome(iterates(job, block, at).orElseThrow(), restored);
        }
    }

    private static OptionalDouble iterates(StartedJob job, int block, long after) {
        return job.workers().keySet().stream()
                .flatMap(name -> job.marks(name).stream())
                .filter(mark -> mark.nanos() > after && mark.is("iterates", block))
                .mapToDouble(mark -> (mark.nanos() - after) / 1e9)
                .min();
    }
}
