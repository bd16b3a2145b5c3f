// SPDX-License-Identifier: Apache-2.0
package dev.volary.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What fault tolerance costs where nothing fails: processor seconds of all workers for each iteration, with backups and rings
 * against without. Both take the same snapshots. Two jobs, one of each, run side by side, so that whatever else the machine does
 * meets both alike; each has half of the processors, and for the second half of a pair they change places. A few pairs are
 * measured with the same processes, then both restart, because a compiler does not do the same twice; the first to start takes
 * turns.
 */
public final class FaultToleranceOverhead {
    private static final double TARGET = 1.01;
    private static final double START_SECONDS = 200;
    private static final int PAIRS_PER_START = 4;
    /** After a change of processors; also longer than from one sample of a daemon to the next. */
    private static final long SETTLE_MILLIS = 600;

    private FaultToleranceOverhead() {}

    /**
     * Takes the number of pairs (20), unknowns per edge (767), daemons of a job (2), seconds of warm-up (60) and of measuring a
     * pair (16).
     */
    public static void main(String[] args) throws IOException, InterruptedException {
        int pairs = args.length > 0 ? Integer.parseInt(args[0]) : 20;
        int n = args.length > 1 ? Integer.parseInt(args[1]) : 767;
        int daemons = args.length > 2 ? Integer.parseInt(args[2]) : 2;
        double warm = args.length > 3 ? Double.parseDouble(args[3]) : 60;
        double seconds = args.length > 4 ? Double.parseDouble(args[4]) : 16;
        if (CpuAffinity.allowed().size() < 2) {
            throw new IllegalStateException("overhead-ft needs two processors: each job has its own");
        }
        List<Double> ratios = new ArrayList<>();
        for (int start = 0; ratios.size() < pairs; start++) {
            boolean onFirst = start % 2 == 0;
            try (StartedJob first = start(n, daemons, onFirst);
                    StartedJob second = start(n, daemons, !onFirst)) {
                awaitIterating(first);
                awaitIterating(second);
                Thread.sleep((long) (warm * 1000));
                StartedJob on = onFirst ? first : second;
                StartedJob off = onFirst ? second : first;
                for (int i = 0; i < PAIRS_PER_START && ratios.size() < pairs; i++) {
                    ratios.add(pair(ratios.size() + 1, on, off, seconds));
                }
            }
        }
        Interval interval = Interval.of(ratios);
        System.out.printf(
                Locale.ROOT,
                "CPU-seconds an update, fault tolerance on / off: %s, target at most %.2f: %s%n",
                interval,
                TARGET,
                interval.median() <= TARGET ? "reached" : "MISSED");
    }

    /** The ratio of what an iteration costs both, each having been on either half of the processors for half of the time. */
    private static double pair(int number, StartedJob on, StartedJob off, double seconds)
            throws IOException, InterruptedException {
        List<Integer> processors = CpuAffinity.allowed();
        int half = processors.size() / 2;
        List<Integer> low = processors.subList(0, half);
        List<Integer> high = processors.subList(half, 2 * half);
        Cost withIt = Cost.NONE;
        Cost without = Cost.NONE;
        for (boolean turned : new boolean[] {number % 2 == 0, number % 2 != 0}) {
            tie(on, turned ? high : low);
            tie(off, turned ? low : high);
            Thread.sleep(SETTLE_MILLIS);
            Cost[] costs = measure(on, off, seconds / 2);
            withIt = withIt.plus(costs[0]);
            without = without.plus(costs[1]);
        }
        double ratio = withIt.each() / without.each();
        System.out.printf(
                Locale.ROOT,
                "pair %2d: on %.2f, off %.2f CPU-microseconds an iteration, ratio %.4f%n",
                number,
                withIt.each() * 1e6,
                without.each() * 1e6,
                ratio);
        return ratio;
    }

    private static Cost[] measure(StartedJob on, StartedJob off, double seconds) throws InterruptedException {
        double[] before = {spawnerSeconds(on), spawnerSeconds(off)};
        long from = System.nanoTime();
        Thread.sleep((long) (seconds * 1000));
        double[] after = {spawnerSeconds(on), spawnerSeconds(off)};
        long to = System.nanoTime();
        Thread.sleep(SETTLE_MILLIS);
        return new Cost[] {cost(on, from, to, after[0] - before[0]), cost(off, from, to, after[1] - before[1])};
    }

    private static StartedJob start(int n, int daemons, boolean on) throws IOException {
        String manifest = """
                apiVersion: volary.dev/v1alpha1
                kind: IterativeJob
                metadata: {name: overhead-ft}
                spec:
                  problem: {type: heat2d, parameters: {points: %d, boundary: Series, method: PointJacobi}}
                  daemons: {replicas: %d}
                  spawners: {replicas: 2}
                  convergence: {tolerance: "1e-10"}
                  activeDeadlineSeconds: 3600
                """.formatted(n, daemons);
        return StartedJob.of(manifest, on ? Map.of() : Map.of("VOLARY_FAULT_TOLERANCE", "off"), "--threads", "1");
    }

    private static void tie(StartedJob job, List<Integer> processors) throws IOException, InterruptedException {
        for (Map.Entry<String, ProcessHandle> worker : job.workers().entrySet()) {
            if (!CpuAffinity.tie(worker.getValue().pid(), processors)) {
                throw new IllegalStateException(
                        "taskset cannot tie " + worker.getKey() + " to processors " + processors);
            }
        }
    }

    private static void awaitIterating(StartedJob job) throws InterruptedException {
        if (!job.await(() -> !job.events("all-iterating").isEmpty(), START_SECONDS)) {
            throw new IllegalStateException("the job does not iterate after " + START_SECONDS + " s");
        }
    }

    /** Processor time of the spawners until now; daemons report their own, together with their iterations. */
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

    private static Cost cost(StartedJob job, long from, long to, double spawnerSeconds) {
        Cost cost = new Cost(spawnerSeconds, 0);
        for (String worker : job.workers().keySet()) {
            List<Sample> samples = Sample.of(job.marks(worker)).stream()
                    .filter(sample -> sample.nanos() >= from && sample.nanos() <= to)
                    .toList();
            if (samples.size() > 1) {
                // Samples do not fall on the ends of the time: a daemon's share is stretched to all of it.
                Sample a = samples.getFirst();
                Sample b = samples.getLast();
                double stretch = (double) (to - from) / (b.nanos() - a.nanos());
                cost = cost.plus(new Cost(
                        stretch * (b.cpuNanos() - a.cpuNanos()) / 1e9, stretch * (b.iterations() - a.iterations())));
            }
        }
        if (!(cost.iterations() > 0)) {
            throw new IllegalStateException("no daemon iterated in the time that was measured");
        }
        return cost;
    }

    /** Processor time, and the iterations that it bought. */
    private record Cost(double seconds, double iterations) {
        private static final Cost NONE = new Cost(0, 0);

        Cost plus(Cost other) {
            return new Cost(seconds + other.seconds, iterations + other.iterations);
        }

        double each() {
            return seconds / iterations;
        }
    }
}
