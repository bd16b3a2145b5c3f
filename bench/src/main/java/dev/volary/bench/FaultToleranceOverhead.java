package dev.volary.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What fault tolerance costs where nothing fails: processor seconds of all workers for each iteration, with backups and rings
 * against without. Both jobs of a pair run side by side, so that whatever else the machine does meets both alike; the one that
 * starts first takes turns. Both take the same snapshots.
 */
public final class FaultToleranceOverhead {
    private static final double TARGET = 1.01;
    private static final double START_SECONDS = 200;
    private static final long STEP_MILLIS = 200;

    private FaultToleranceOverhead() {}

    /** Takes the number of pairs (20), unknowns per edge (511), seconds of warm-up (20) and of measuring (20). */
    public static void main(String[] args) throws IOException, InterruptedException {
        int pairs = args.length > 0 ? Integer.parseInt(args[0]) : 20;
        int n = args.length > 1 ? Integer.parseInt(args[1]) : 511;
        double warm = args.length > 2 ? Double.parseDouble(args[2]) : 20;
        double seconds = args.length > 3 ? Double.parseDouble(args[3]) : 20;
        List<Double> ratios = new ArrayList<>();
        for (int pair = 1; pair <= pairs; pair++) {
            boolean onFirst = pair % 2 == 1;
            double[] cost = pair(n, warm, seconds, onFirst);
            double on = cost[onFirst ? 0 : 1];
            double off = cost[onFirst ? 1 : 0];
            ratios.add(on / off);
            System.out.printf(
                    Locale.ROOT,
                    "pair %2d: on %.2f, off %.2f CPU-microseconds an iteration, ratio %.4f%n",
                    pair,
                    on * 1e6,
                    off * 1e6,
                    on / off);
        }
        Interval interval = Interval.of(ratios);
        System.out.printf(
                Locale.ROOT,
                "CPU-seconds an update, fault tolerance on / off: %s, target at most %.2f: %s%n",
                interval,
                TARGET,
                interval.median() <= TARGET ? "reached" : "MISSED");
    }

    private static double[] pair(int n, double warm, double seconds, boolean onFirst)
            throws IOException, InterruptedException {
        try (StartedJob first = start(n, onFirst);
                StartedJob second = start(n, !onFirst)) {
            awaitIterating(first);
            awaitIterating(second);
            Thread.sleep((long) (warm * 1000));
            double[] before = {spawnerSeconds(first), spawnerSeconds(second)};
            long from = System.nanoTime();
            Thread.sleep((long) (seconds * 1000));
            double[] after = {spawnerSeconds(first), spawnerSeconds(second)};
            long to = System.nanoTime();
            Thread.sleep(STEP_MILLIS);
            return new double[] {
                perIteration(first, from, to, after[0] - before[0]),
                perIteration(second, from, to, after[1] - before[1])
            };
        }
    }

    private static StartedJob start(int n, boolean on) throws IOException {
        String manifest = """
                apiVersion: volary.dev/v1alpha1
                kind: IterativeJob
                metadata: {name: overhead-ft}
                spec:
                  problem: {type: heat2d, parameters: {n: %d, boundary: Series}}
                  daemons: {replicas: 4}
                  spawners: {replicas: 2}
                  convergence: {tolerance: "1e-10"}
                  activeDeadlineSeconds: 3600
                """.formatted(n);
        return StartedJob.of(manifest, on ? Map.of() : Map.of("VOLARY_FAULT_TOLERANCE", "off"), "--threads", "1");
    }

    private static void awaitIterating(StartedJob job) throws InterruptedException {
        if (!job.await(() -> !job.events("all-iterating").isEmpty(), START_SECONDS)) {
            throw new IllegalStateException("the job does not iterate after " + START_SECONDS + " s");
        }
    }

    /** Processor time of the spawners until now; daemons tell their own, together with how far they are. */
    private static double spawnerSeconds(StartedJob job) {
        return job.workers().entrySet().stream()
                .filter(worker -> worker.getKey().startsWith("spawner"))
                .mapToDouble(worker -> worker.getValue()
                        .info()
                        .totalCpuDuration()
                        .map(time -> time.toNanos() / 1e9)
                        .orElseThrow())
                .sum();
    }

    private static double perIteration(StartedJob job, long from, long to, double spawnerSeconds) {
        double cpu = spawnerSeconds;
        double iterations = 0;
        for (String worker : job.workers().keySet()) {
            List<Sample> samples = Sample.of(job.marks(worker)).stream()
                    .filter(sample -> sample.nanos() >= from && sample.nanos() <= to)
                    .toList();
            if (samples.size() > 1) {
                // Samples do not fall on the ends of the time: a daemon's share is stretched to all of it.
                Sample a = samples.getFirst();
                Sample b = samples.getLast();
                double stretch = (double) (to - from) / (b.nanos() - a.nanos());
                cpu += stretch * (b.cpuNanos() - a.cpuNanos()) / 1e9;
                iterations += stretch * (b.iterations() - a.iterations());
            }
        }
        if (!(iterations > 0)) {
            throw new IllegalStateException("no daemon iterated in the time that was measured");
        }
        return cpu / iterations;
    }
}
