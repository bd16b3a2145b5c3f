// SPDX-License-Identifier: Apache-2.0
package dev.volary.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Time to the same certified residual with one daemon five times slower than the others: the synchronous scheme against the
 * asynchronous one. Iterations are paced (10 ms, the slow daemon 50 ms), so that two processors can stand for many machines.
 *
 * <p>What can be gained depends on how much of the slowest error mode is in the slow block, here a corner of the square, and on
 * how far an iteration carries what is new: a hundred sweeps, which take a fraction of a millisecond. Counting iterations at
 * these paces with 2 ms from block to block, without any program around them, gives for six daemons 3.7; 2.5 with one sweep for
 * each iteration, 2.3 if blocks share four layers (both schemes are faster then), 2.6 with the slow block at the worst place.
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
                  problem: {type: heat2d, parameters: {points: 127, boundary: Series, method: PointJacobi, sweeps: 100, overlap: 0}}
                  scheme: %s
                  daemons: {replicas: %d}
                  spawners: {replicas: 1}
                  convergence: {tolerance: "1e-4"}
                """.formatted(scheme, daemons), "--pace", "10ms", "--pace", "daemon-0=50ms", "--no-picture");
        if (run.status() != 0) {
            throw new IllegalStateException(scheme + " ended with status " + run.status());
        }
        return run.summary("computing_s");
    }
}
