// SPDX-License-Identifier: Apache-2.0
package dev.volary.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A whole job of two daemons against the same sweeps in C and MPI, alternately in one run:
 * {@code bench/run job [n [rounds [sweeps]]]}. Both relax the obstacle problem on this machine. A block makes all sweeps of an
 * iteration after one exchange of halos. A job's rate is that of its own counters once its code is compiled. C is run with the pages that a program gets unasked, which the target is about, and
 * with huge ones, which a worker's JVM asks for.
 */
public final class WholeJob {
    private static final double TARGET_OF_ONE_SWEEP = 0.95;
    private static final double TARGET_OF_SEVERAL = 0.9;
    private static final int DAEMONS = 2;
    private static final double START_SECONDS = 120;
    private static final double WARM_UP_SECONDS = 15;
    private static final double SECONDS = 15;

    private WholeJob() {}

    /** Takes unknowns per edge (159), rounds (5) and sweeps for each exchange (1). */
    public static void main(String[] args) throws IOException, InterruptedException {
        int n = args.length > 0 ? Integer.parseInt(args[0]) : 159;
        int rounds = args.length > 1 ? Integer.parseInt(args[1]) : 5;
        int sweeps = args.length > 2 ? Integer.parseInt(args[2]) : 1;
        double target = sweeps > 1 ? TARGET_OF_SEVERAL : TARGET_OF_ONE_SWEEP;
        Path inC = CProgram.compileMpi(Path.of("bench", "kernels", "job.c"));
        List<Double> volary = new ArrayList<>();
        List<Double> plain = new ArrayList<>();
        List<Double> huge = new ArrayList<>();
        for (int round = 1; round <= rounds; round++) {
            volary.add(volary(n, sweeps, WARM_UP_SECONDS, SECONDS));
            plain.add(inC(inC, n, sweeps, "plain", SECONDS));
            huge.add(inC(inC, n, sweeps, "huge", SECONDS));
            System.out.printf(
                    Locale.ROOT,
                    "round %d: Volary %.0f, C + MPI %.0f, with huge pages %.0f million updates/s%n",
                    round,
                    volary.getLast(),
                    plain.getLast(),
                    huge.getLast());
        }
        double ratio = Median.of(volary).median() / Median.of(plain).median();
        System.out.printf(
                Locale.ROOT,
                "obstacle3d %d³, %d daemons, sweeps for each exchange: %d; medians of %d: Volary / C + MPI %.3f, target at least %.2f: %s; with huge pages %.3f%n",
                n,
                DAEMONS,
                sweeps,
                rounds,
                ratio,
                target,
                ratio >= target ? "reached" : "MISSED",
                Median.of(volary).median() / Median.of(huge).median());
    }

    /**
     * Million updates a second of a job of two daemons, by their own counters.
     *
     * @param n unknowns per edge
     * @param sweeps for each exchange of halos
     * @param warmUp seconds from the first iteration to the measurement
     * @param seconds of the measurement, at least 2
     */
    public static double volary(int n, int sweeps, double warmUp, double seconds)
            throws IOException, InterruptedException {
        String manifest = """
                apiVersion: volary.dev/v1alpha1
                kind: IterativeJob
                metadata: {name: whole-job}
                spec:
                  problem: {type: obstacle3d, parameters: {points: %d, data: Membrane, method: Relaxation, sweeps: %d}}
                  daemons: {replicas: %d}
                  convergence: {tolerance: "1e-9"}
                  activeDeadlineSeconds: 3600
                """.formatted(n, sweeps, DAEMONS);
        try (StartedJob job = StartedJob.of(manifest, Map.of(), "--threads", "1")) {
            if (!job.await(() -> !job.events("all-iterating").isEmpty(), START_SECONDS)) {
                throw new IllegalStateException("the job does not iterate after " + START_SECONDS + " s");
            }
            Thread.sleep((long) (1000 * warmUp));
            long from = System.nanoTime();
            Thread.sleep((long) (1000 * seconds));
            double rate = 0;
            for (String worker : job.workers().keySet()) {
                List<Sample> samples = Sample.of(job.marks(worker)).stream()
                        .filter(sample -> sample.nanos() >= from)
                        .toList();
                if (samples.size() > 1) {
                    Sample a = samples.getFirst();
                    Sample b = samples.getLast();
                    rate += (double) (b.iterations() - a.iterations()) / (b.nanos() - a.nanos()) * 1e3;
                }
            }
            if (rate == 0) {
                throw new IllegalStateException("the job ended before it could be measured; give it more unknowns");
            }
            return rate * sweeps * n * n * n / DAEMONS;
        }
    }

    /**
     * The same of the C program.
     *
     * @param program compiled from {@code bench/kernels/job.c}
     * @param pages {@code plain} or {@code huge}
     */
    public static double inC(Path program, int n, int sweeps, String pages, double seconds)
            throws IOException, InterruptedException {
        String said = CProgram.runMpi(
                program,
                DAEMONS,
                Integer.toString(n),
                String.format(Locale.ROOT, "%.1f", seconds),
                Integer.toString(sweeps),
                pages);
        return Double.parseDouble(said.substring(0, said.indexOf(' ')));
    }
}
