// SPDX-License-Identifier: Apache-2.0
package dev.volary.bench;

import java.io.IOException;
import java.util.List;
import java.util.Locale;

/**
 * What watching each other costs real processes: messages sent a second by each worker, and the processor time of a message. The
 * threads that carry and decide them do so with everything else that is said about the job, so the time of one is how much more
 * these threads take in a job with a quarter of the time-out, which has four times the heartbeats. At the defaults, and with
 * the parameters of the Phoenix paper.
 */
public final class Heartbeats {
    private static final double MOST_STANDARD = 6;
    private static final double MOST_PHOENIX = 3;
    private static final double MOST_CPU = 0.01;
    private static final double START_SECONDS = 200;

    private Heartbeats() {}

    /** Takes seconds of measuring (60) and of warm-up (20), unknowns per edge (511), daemons (6). */
    public static void main(String[] args) throws IOException, InterruptedException {
        double seconds = args.length > 0 ? Double.parseDouble(args[0]) : 60;
        double warm = args.length > 1 ? Double.parseDouble(args[1]) : 20;
        int n = args.length > 2 ? Integer.parseInt(args[2]) : 511;
        int daemons = args.length > 3 ? Integer.parseInt(args[3]) : 6;
        System.out.println(
                "a second and worker          watch, mean  most   all control, mean  most   control threads' CPU");
        Row standard = row("defaults", "{}", seconds, warm, n, daemons);
        Row phoenix = row("Phoenix's", "{strategy: RandomMonitors, watchers: 2}", seconds, warm, n, daemons);
        Row often = row("a quarter of the time-out", "{timeout: 500ms}", seconds, warm, n, daemons);
        double each = (often.share() - standard.share()) / (often.watch() - standard.watch());
        System.out.printf(
                Locale.ROOT,
                "processor time of watching: %.2f %% at the defaults, %.2f %% with Phoenix's%n",
                100 * each * standard.watch(),
                100 * each * phoenix.watch());
        boolean reached = standard.watch() <= MOST_STANDARD
                && phoenix.watch() <= MOST_PHOENIX
                && each * Math.max(standard.watch(), phoenix.watch()) <= MOST_CPU;
        System.out.println("heartbeats: targets at most 6 and 3 messages a second and worker, and 1 % of the CPU: "
                + (reached ? "reached" : "MISSED"));
    }

    /**
     * What was measured.
     *
     * @param watch messages of watching, a second and worker
     * @param share of the processes' CPU time that control threads took
     */
    private record Row(double watch, double share) {}

    private static Row row(String name, String detection, double seconds, double warm, int n, int daemons)
            throws IOException, InterruptedException {
        try (StartedJob job = StartedJob.of("""
                apiVersion: volary.dev/v1alpha1
                kind: IterativeJob
                metadata: {name: heartbeats}
                spec:
                  problem: {type: heat2d, parameters: {points: %d, boundary: Series, method: PointJacobi}}
                  daemons: {replicas: %d}
                  spawners: {replicas: 2}
                  failureDetection: %s
                  convergence: {tolerance: "1e-10"}
                  activeDeadlineSeconds: 3600
                """.formatted(n, daemons, detection), "--threads", "1")) {
            if (!job.await(() -> !job.events("all-iterating").isEmpty(), START_SECONDS)) {
                throw new IllegalStateException("the job does not iterate after " + START_SECONDS + " s");
            }
            Thread.sleep((long) (warm * 1000));
            long from = System.nanoTime();
            Thread.sleep((long) (seconds * 1000));
            double[] watch = new double[3]; // sum, most, workers
            double[] all = new double[3];
            double threads = 0;
            double processes = 0;
            for (String worker : job.workers().keySet()) {
                List<TraceMark> marks = job.marks(worker).stream()
                        .filter(mark -> mark.what().equals("control") && mark.nanos() >= from)
                        .toList();
                if (marks.size() < 2) {
                    continue;
                }
                TraceMark a = marks.getFirst();
                TraceMark b = marks.getLast();
                double time = (b.nanos() - a.nanos()) / 1e9;
                add(all, grown(a, b, 0) / time);
                add(watch, grown(a, b, 1) / time);
                threads += grown(a, b, 2);
                processes += grown(a, b, 3);
            }
            double share = threads / processes;
            System.out.printf(
                    Locale.ROOT,
                    "%-30s %9.2f %6.2f %15.2f %8.2f %12.2f %%%n",
                    name,
                    watch[0] / watch[2],
                    watch[1],
                    all[0] / all[2],
                    all[1],
                    100 * share);
            return new Row(watch[0] / watch[2], share);
        }
    }

    private static void add(double[] to, double rate) {
        to[0] += rate;
        to[1] = Math.max(to[1], rate);
        to[2]++;
    }

    private static double grown(TraceMark a, TraceMark b, int column) {
        return Double.parseDouble(b.about().get(column))
                - Double.parseDouble(a.about().get(column));
    }
}
