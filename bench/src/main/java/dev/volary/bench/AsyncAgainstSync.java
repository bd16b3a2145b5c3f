package dev.volary.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Time to the same certified residual with one daemon five times slower than the others: the synchronous scheme against the
 * asynchronous one. Iterations are paced (10 ms, the slow daemon 50 ms), so that two processors can stand for many machines.
 *
 * <p>What can be gained is known. The slowest error mode u decays as if time ran at most at 1/Σwd, where w is the share of ‖u‖² in a
 * block and d by how much its daemon is slow; less, since the mode moves into the slow block. The slow block is a corner of the
 * square. Counting iterations at these paces with 2 ms from block to block, without any program around them, gives ratios of 2.1
 * for 4 daemons, 2.5 for 6 and 3.2 for 12; two processors do not keep these paces for 12.
 */
public final class AsyncAgainstSync {
    private static final double TARGET = 3;

    private AsyncAgainstSync() {}

    /** Takes the number of rounds, 3 if not given, and of daemons, 6 if not given. */
    public static void main(String[] args) throws IOException, InterruptedException {
        int rounds = args.length > 0 ? Integer.parseInt(args[0]) : 3;
        int daemons = args.length > 1 ? Integer.parseInt(args[1]) : 6;
        List<Double> ratios = new ArrayList<>();
        for (int round = 1; round <= rounds; round++) {
            double asynchronous = seconds("Asynchronous", daemons);
            double synchronous = seconds("Synchronous", daemons);
            ratios.add(synchronous / asynchronous);
            System.out.printf(
                    Locale.ROOT,
                    "round %d, %d daemons: asynchronous %.2f s, synchronous %.2f s, ratio %.2f%n",
                    round,
                    daemons,
                    asynchronous,
                    synchronous,
                    synchronous / asynchronous);
        }
        System.out.println("synchronous / asynchronous: " + Median.of(ratios) + ", target at least " + TARGET);
    }

    private static double seconds(String scheme, int daemons) throws IOException, InterruptedException {
        VolaryRun run = VolaryRun.of(
                """
                apiVersion: volary.dev/v1alpha1
                kind: IterativeJob
                metadata: {name: slow-one}
                spec:
                  problem: {type: heat2d, parameters: {n: 31, boundary: Series}}
                  scheme: %s
                  daemons: {replicas: %d}
                  spawners: {replicas: 1}
                  convergence: {tolerance: "1e-3"}
                """.formatted(scheme, daemons), "--pace", "10ms", "--pace", "daemon-0=50ms", "--no-picture");
        if (run.status() != 0) {
            throw new IllegalStateException(scheme + " ended with status " + run.status());
        }
        return run.summary("computing_s");
    }
}
