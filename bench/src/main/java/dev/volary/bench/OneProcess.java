// SPDX-License-Identifier: Apache-2.0
package dev.volary.bench;

import dev.volary.solver.Decomposition;
import dev.volary.solver.Edge;
import dev.volary.solver.HaloWriter;
import dev.volary.solver.Halos;
import dev.volary.solver.Inputs;
import dev.volary.solver.InvalidProblemException;
import dev.volary.solver.Model;
import dev.volary.solver.ParameterValues;
import dev.volary.solver.Problem;
import dev.volary.solver.Resources;
import dev.volary.solvers.heat.HeatProblem;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The four blocks of {@link MeshOverhead} in one process: two threads, two blocks each, halos in shared arrays. */
public final class OneProcess {
    private static final int BLOCKS = 4;
    private static final int THREADS = 2;
    private static final long WARM_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final long MEASURED_NANOS = TimeUnit.SECONDS.toNanos(15);

    private OneProcess() {}

    /** A block, the arrays it reads and those it writes. */
    private record Worked(HaloWriter block, Halos halos, List<Edge> outgoing, List<double[]> targets) {
        void iterate() {
            block.iterate(halos);
            for (int e = 0; e < targets.size(); e++) {
                block.writeHalo(outgoing.get(e), targets.get(e));
            }
        }
    }

    /** Takes unknowns per edge; prints million updates a second. */
    public static void main(String[] args) throws InvalidProblemException, InterruptedException {
        int n = Integer.parseInt(args[0]);
        Problem problem = new HeatProblem();
        Model model = problem.open(
                ParameterValues.of(
                        problem.parameters(), Map.of("points", n, "boundary", "Series", "method", "PointJacobi")),
                Inputs.none());
        Decomposition decomposition = model.decompose(BLOCKS);
        List<ArrayHalos> halos = new ArrayList<>();
        for (int b = 0; b < BLOCKS; b++) {
            halos.add(ArrayHalos.zeros(decomposition, b));
        }
        List<Worked> blocks = new ArrayList<>();
        for (int b = 0; b < BLOCKS; b++) {
            List<double[]> targets = new ArrayList<>();
            for (Edge edge : decomposition.outgoing(b)) {
                targets.add(halos.get(edge.to())
                        .values(decomposition.incoming(edge.to()).indexOf(edge)));
            }
            blocks.add(new Worked(
                    (HaloWriter) model.block(decomposition, b, Resources.SINGLE),
                    halos.get(b),
                    decomposition.outgoing(b),
                    targets));
        }
        long[] counted = new long[THREADS];
        List<Thread> threads = new ArrayList<>();
        long start = System.nanoTime() + WARM_NANOS;
        for (int t = 0; t < THREADS; t++) {
            int own = t;
            threads.add(Thread.ofPlatform().start(() -> counted[own] = work(blocks, own, start)));
        }
        long iterations = 0;
        for (int t = 0; t < THREADS; t++) {
            threads.get(t).join();
            iterations += counted[t];
        }
        System.out.println(iterations * (double) n * n / BLOCKS / (MEASURED_NANOS / 1e9) / 1e6);
    }

    private static long work(List<Worked> blocks, int own, long start) {
        long counted = 0;
        while (true) {
            for (int b = own; b < BLOCKS; b += THREADS) {
                blocks.get(b).iterate();
                long now = System.nanoTime();
                if (now - start > MEASURED_NANOS) {
                    return counted;
                }
                if (now > start) {
                    counted++;
                }
            }
        }
    }
}
