// SPDX-License-Identifier: Apache-2.0
package dev.volary.bench;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * From SIGKILL of a daemon to its block iterating on a standby, step by step; and what the others do meanwhile. Real processes:
 * two spawners, four daemons, two standbys, a backup of each block with two others.
 */
public final class Recovery {
    private static final double TARGET_MILLIS = 750;
    private static final double TARGET_OTHERS = 0.95;
    private static final int DAEMONS = 4;
    private static final int STANDBYS = 2;
    private static final double READY_SECONDS = 200;
    /** A kill is over by then, one way or the other. */
    private static final double OVER_SECONDS = 20;
    /** The other daemons are measured for this time before and after a kill. */
    private static final double WINDOW_SECONDS = 4;

    private static final String[] STEPS = {"verdict", "assigned", "found", "restored", "started", "iterates"};

    private Recovery() {}

    /** Takes the number of kills (7), unknowns per edge (511), a seed (1) and the least duration of an iteration (0ms). */
    public static void main(String[] args) throws IOException, InterruptedException {
        int kills = args.length > 0 ? Integer.parseInt(args[0]) : 7;
        int n = args.length > 1 ? Integer.parseInt(args[1]) : 511;
        long seed = args.length > 2 ? Long.parseLong(args[2]) : 1;
        SplittableRandom random = new SplittableRandom(seed);
        String pace = args.length > 3 ? args[3] : "0ms";
        Map<String, List<Double>> steps = new LinkedHashMap<>();
        List<Double> others = new ArrayList<>();
        int without = 0;
        System.out.println("ms from SIGKILL to      " + String.join("  ", STEPS) + "  (with its backup)  others' rate");
        try (StartedJob job =
                StartedJob.of(manifest(n), "--threads", "1", "--seed", Long.toString(seed), "--pace", pace)) {
            for (int kill = 1; kill <= kills; kill++) {
                awaitReady(job, kill);
                Optional<Outcome> outcome = kill(job, random);
                if (outcome.isEmpty()) {
                    throw new IllegalStateException("no block of the killed daemon came back");
                }
                outcome.get().print(kill);
                outcome.get()
                        .millis()
                        .forEach((step, ms) -> steps.computeIfAbsent(step, s -> new ArrayList<>())
                                .add(ms));
                others.add(outcome.get().others());
                without += outcome.get().restored() ? 0 : 1;
            }
        }
        steps.forEach((step, ms) -> System.out.println(step + ": " + Median.of(ms) + " ms"));
        Median last = Median.of(steps.getOrDefault("iterates", List.of()));
        Median rate = Median.of(others);
        System.out.printf(
                Locale.ROOT,
                "kill to iterating: %s ms, target at most %.0f: %s; %d of %d without their backup%n",
                last,
                TARGET_MILLIS,
                last.median() <= TARGET_MILLIS ? "reached" : "MISSED",
                without,
                kills);
        System.out.printf(
                Locale.ROOT,
                "others' iterations per CPU-second, after / before: %s, target at least %.2f: %s%n",
                rate,
                TARGET_OTHERS,
                rate.median() >= TARGET_OTHERS ? "reached" : "MISSED");
    }

    private static String manifest(int n) {
        return """
                apiVersion: volary.dev/v1alpha1
                kind: IterativeJob
                metadata: {name: recovery}
                spec:
                  problem: {type: heat2d, parameters: {points: %d, boundary: Series, method: PointJacobi}}
                  daemons: {replicas: %d, standbys: %d}
                  spawners: {replicas: 2}
                  checkpoint: {copies: 2}
                  convergence: {tolerance: "1e-10"}
                  activeDeadlineSeconds: 3600
                """.formatted(n, DAEMONS, STANDBYS);
    }

    /** Each daemon with a block reaches holders of its backups, and the standbys are warmed up. */
    private static void awaitReady(StartedJob job, int kill) throws InterruptedException {
        boolean ready = job.await(
                () -> {
                    List<String> serving = job.serving().stream()
                            .map(row -> row.path("name").asText())
                            .toList();
                    List<String> standbys = job.workers().keySet().stream()
                            .filter(name -> name.startsWith("daemon") && !serving.contains(name))
                            .toList();
                    return serving.stream().allMatch(name -> reaches(job, name) > 0)
                            && standbys.size() >= STANDBYS
                            && standbys.stream().allMatch(name -> has(job, name, "warm"));
                },
                READY_SECONDS);
        if (!ready) {
            throw new IllegalStateException("not all workers were ready " + READY_SECONDS + " s before kill " + kill);
        }
        Thread.sleep((long) (2 * WINDOW_SECONDS * 1000));
    }

    /** Others that a daemon could back up to when it last said so. */
    private static long reaches(StartedJob job, String worker) {
        return job.marks(worker).stream()
                .filter(mark -> mark.what().equals("reaches"))
                .reduce((earlier, later) -> later)
                .map(mark -> Long.parseLong(mark.about().getFirst()))
                .orElse(0L);
    }

    private static boolean has(StartedJob job, String worker, String what) {
        return job.marks(worker).stream().anyMatch(mark -> mark.what().equals(what));
    }

    /** One kill, as far as it went. */
    private record Outcome(String victim, Map<String, Double> millis, boolean restored, double others) {
        void print(int kill) {
            StringBuilder row = new StringBuilder();
            for (String step : STEPS) {
                row.append(String.format(Locale.ROOT, "%9.0f", millis.getOrDefault(step, Double.NaN)));
            }
            System.out.printf(
                    Locale.ROOT, "kill %2d, %-10s %s  %s  %.3f%n", kill, victim, row, restored ? "yes" : "no", others);
        }
    }

    private static Optional<Outcome> kill(StartedJob job, SplittableRandom random)
            throws IOException, InterruptedException {
        List<JsonNode> serving = job.serving();
        JsonNode chosen = serving.get(random.nextInt(serving.size()));
        String victim = chosen.path("name").asText();
        int block = chosen.path("blocks").get(0).asInt();
        long at = job.kill(victim);
        boolean back = job.await(
                () -> job.workers().keySet().stream()
                        .flatMap(name -> job.marks(name).stream())
                        .anyMatch(mark -> mark.nanos() > at && mark.is("iterates", block)),
                OVER_SECONDS);
        if (!back) {
            return Optional.empty();
        }
        Thread.sleep((long) (WINDOW_SECONDS * 1000) + 1000);
        Map<String, Double> millis = new LinkedHashMap<>();
        boolean restored = false;
        for (TraceMark mark : job.marks()) {
            if (mark.nanos() <= at) {
                continue;
            }
            boolean verdict = mark.what().equals("verdict");
            for (String step : STEPS) {
                if (mark.is(step, block) || (verdict && step.equals("verdict"))) {
                    millis.putIfAbsent(step, (mark.nanos() - at) / 1e6);
                }
            }
            restored |= mark.is("found", block) && mark.about().get(1).equals("true");
        }
        List<String> others = serving.stream()
                .map(row -> row.path("name").asText())
                .filter(name -> !name.equals(victim)
                        && job.marks(name).stream().noneMatch(mark -> mark.nanos() > at && mark.is("iterates", block)))
                .toList();
        return Optional.of(new Outcome(
                victim,
                millis,
                restored,
                rate(job, others, at, WINDOW_SECONDS)
                        / rate(job, others, at - (long) (WINDOW_SECONDS * 1e9), WINDOW_SECONDS)));
    }

    /** Iterations in a CPU-second of these daemons from a time on. */
    private static double rate(StartedJob job, List<String> daemons, long from, double seconds) {
        double iterations = 0;
        double cpu = 0;
        for (String daemon : daemons) {
            List<Sample> samples = Sample.of(job.marks(daemon)).stream()
                    .filter(sample -> sample.nanos() >= from && sample.nanos() <= from + seconds * 1e9)
                    .toList();
            iterations += samples.getLast().iterations() - samples.getFirst().iterations();
            cpu += (samples.getLast().cpuNanos() - samples.getFirst().cpuNanos()) / 1e9;
        }
        return iterations / cpu;
    }
}
