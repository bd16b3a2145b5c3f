// SPDX-License-Identifier: Apache-2.0
package dev.volary.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The tables of the JACEP2P-V2 paper in shape: the time of a job whose daemons are killed every n seconds, up to 0.27 crashes
 * for each daemon, against the same job without crashes; three at a time, or one in each of three zones; and with all heartbeats
 * going to one place, as in version 1. Iterations are stretched, so that a few processors stand for a machine for each daemon,
 * to the length of job that is asked for.
 */
public final class Crashes {
    private static final double TARGET = 1.10;
    private static final int DAEMONS = 11;
    private static final int STANDBYS = 2;
    private static final int ZONES = 3;
    /** Long enough that two processors keep up with it: shorter ones would be stretched by more than they say. */
    private static final double CALIBRATION_MILLIS = 20;

    private Crashes() {}

    /** What is done to a job. */
    private record Treatment(String name, String strategy, int victims, boolean perZone, int faults) {
        double crashesPerDaemon() {
            return (double) victims * (perZone ? ZONES : 1) * faults / DAEMONS;
        }
    }

    /** Takes the seconds of a job without crashes (120) and the number of seeds (3). */
    public static void main(String[] args) throws IOException, InterruptedException {
        double length = args.length > 0 ? Double.parseDouble(args[0]) : 120;
        int seeds = args.length > 1 ? Integer.parseInt(args[1]) : 3;
        String standard = "RingWithConfirmation";
        List<Treatment> treatments = List.of(
                new Treatment("one crash", standard, 1, false, 1),
                new Treatment("one by one", standard, 1, false, 3),
                new Treatment("three at a time", standard, 3, false, 1),
                new Treatment("one in each zone", standard, 1, true, 1),
                new Treatment("one by one, Centralised", "Centralised", 1, false, 3));
        double pace = CALIBRATION_MILLIS
                * length
                / run(CALIBRATION_MILLIS, standard, 1).seconds();
        System.out.printf(Locale.ROOT, "iterations of %.1f ms, %d daemons, %d standbys%n", pace, DAEMONS, STANDBYS);
        Map<Treatment, List<Double>> ratios = new LinkedHashMap<>();
        for (long seed = 1; seed <= seeds; seed++) {
            Finished calm = run(pace, standard, seed);
            System.out.printf(Locale.ROOT, "seed %d, no crash: %.1f s%n", seed, calm.seconds());
            for (Treatment treatment : treatments) {
                // Half a period before the end is the last one.
                double every = calm.seconds() / (treatment.faults() + 0.5);
                List<String> chaos = new ArrayList<>(List.of(
                        "--kill", Integer.toString(treatment.victims()), "--every", Math.round(1000 * every) + "ms"));
                if (treatment.perZone()) {
                    chaos.add("--per-zone");
                }
                Finished run = run(pace, treatment.strategy(), seed, chaos.toArray(String[]::new));
                ratios.computeIfAbsent(treatment, t -> new ArrayList<>()).add(run.seconds() / calm.seconds());
                System.out.printf(
                        Locale.ROOT,
                        "seed %d, %s, every %.0f s: %.1f s, %d crashes, ratio %.3f%n",
                        seed,
                        treatment.name(),
                        every,
                        run.seconds(),
                        run.crashes(),
                        run.seconds() / calm.seconds());
            }
        }
        System.out.println("| kills | crashes for each daemon | time / time without crashes, median (range) |");
        System.out.println("|---|---|---|");
        boolean reached = true;
        for (Treatment treatment : treatments) {
            Median median = Median.of(ratios.getOrDefault(treatment, List.of()));
            System.out.printf(
                    Locale.ROOT, "| %s | %.2f | %s |%n", treatment.name(), treatment.crashesPerDaemon(), median);
            reached &= treatment.strategy().equals("Centralised") || median.median() <= TARGET;
        }
        System.out.printf(
                Locale.ROOT,
                "0.27 crashes for each daemon: target at most %.2f of the time (paper: 1.50): %s%n",
                TARGET,
                reached ? "reached" : "MISSED");
    }

    private record Finished(double seconds, int crashes) {}

    private static Finished run(double paceMillis, String strategy, long seed, String... chaos)
            throws IOException, InterruptedException {
        List<String> options = new ArrayList<>(List.of(
                "--no-picture",
                "--threads",
                "1",
                "--zones",
                Integer.toString(ZONES),
                "--seed",
                Long.toString(seed),
                "--pace",
                Math.max(1, Math.round(paceMillis)) + "ms"));
        options.addAll(List.of(chaos));
        VolaryRun run = VolaryRun.of("""
                apiVersion: volary.dev/v1alpha1
                kind: IterativeJob
                metadata: {name: crashes}
                spec:
                  problem: {type: heat2d, parameters: {points: 63, boundary: Series, method: PointJacobi}}
                  daemons: {replicas: %d, standbys: %d}
                  spawners: {replicas: 2}
                  failureDetection: {strategy: %s}
                  convergence: {tolerance: "1e-4"}
                  activeDeadlineSeconds: 3600
                """.formatted(DAEMONS, STANDBYS, strategy), options.toArray(String[]::new));
        if (run.status() != 0) {
            throw new IllegalStateException(strategy + " " + List.of(chaos) + " ended with status " + run.status());
        }
        int crashes = (int) run.lines().stream()
                .filter(line -> line.path("event").asText().equals("fault-injected"))
                .count();
        return new Finished(run.summary("computing_s"), crashes);
    }
}
