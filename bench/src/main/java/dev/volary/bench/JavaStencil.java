// SPDX-License-Identifier: Apache-2.0
package dev.volary.bench;

import dev.volary.solver.Block;
import dev.volary.solver.Box;
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
import dev.volary.solvers.kernel.GhostGrid;
import dev.volary.solvers.kernel.KernelChoice;
import dev.volary.solvers.kernel.StencilKernel;
import dev.volary.solvers.kernel.SweepRegion;
import dev.volary.solvers.obstacle.ObstacleProblem;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The same sweeps by the solvers: one block for each thread, halos passed on after every sweep. */
public final class JavaStencil {

    private JavaStencil() {}

    /**
     * Runs one kind of sweep.
     *
     * @param kernel {@code vector} or {@code plain}, see {@link KernelChoice}
     * @param n points along each edge
     * @param warm sweeps before those that are measured
     * @param sweeps measured ones
     */
    public static Run run(Sweep sweep, String kernel, int n, int threads, int warm, int sweeps)
            throws InvalidProblemException, InterruptedException {
        System.setProperty(KernelChoice.PROPERTY, kernel);
        return switch (sweep) {
            case HEAT5 -> blocks(new HeatProblem(), sweep, n, threads, warm, sweeps);
            case PROJECTED7 -> blocks(new ObstacleProblem(), sweep, n, threads, warm, sweeps);
            case JACOBI7 -> kernelAlone(n, threads, warm, sweeps);
        };
    }

    /** The halos of one block for every other sweep: one set is read while the other is written. */
    @SuppressWarnings("ArrayRecordComponent") // a plain carrier; mailboxes are never compared
    private record Mailbox(double[][] values) implements Halos {
        static Mailbox of(List<Edge> incoming) {
            return new Mailbox(incoming.stream()
                    .map(edge -> new double[edge.values().size()])
                    .toArray(double[][]::new));
        }

        @Override
        public int size() {
            return values.length;
        }

        @Override
        public double[] values(int k) {
            return values[k];
        }

        @Override
        public boolean fresh(int k) {
            return true;
        }
    }

    private static Run blocks(Problem problem, Sweep sweep, int n, int threads, int warm, int sweeps)
            throws InvalidProblemException, InterruptedException {
        Model model = problem.open(ParameterValues.of(problem.parameters(), sweep.parameters(n)), Inputs.none());
        Decomposition decomposition = model.decompose(threads);
        HaloWriter[] blocks = new HaloWriter[threads];
        Mailbox[][] halos = new Mailbox[threads][2];
        for (int b = 0; b < threads; b++) {
            Block block = model.block(decomposition, b, Resources.SINGLE);
            blocks[b] = (HaloWriter) block;
            halos[b][0] = Mailbox.of(decomposition.incoming(b));
            halos[b][1] = Mailbox.of(decomposition.incoming(b));
        }
        Edge[][] outgoing = new Edge[threads][];
        double[][][][] targets = new double[2][threads][][];
        for (int b = 0; b < threads; b++) {
            outgoing[b] = decomposition.outgoing(b).toArray(Edge[]::new);
            for (int parity = 0; parity < 2; parity++) {
                targets[parity][b] = new double[outgoing[b].length][];
                for (int e = 0; e < outgoing[b].length; e++) {
                    int to = outgoing[b][e].to();
                    int k = decomposition.incoming(to).indexOf(outgoing[b][e]);
                    targets[parity][b][e] = halos[to][parity].values(k);
                }
            }
        }
        ThreadTeam team = new ThreadTeam(threads);
        team.run(warm, sweeps, (member, number) -> {
            int parity = number & 1;
            blocks[member].iterate(halos[member][parity]);
            for (int e = 0; e < outgoing[member].length; e++) {
                blocks[member].writeHalo(outgoing[member][e], targets[1 - parity][member][e]);
            }
        });
        double sum = 0;
        for (int b = 0; b < threads; b++) {
            double[] core = new double[decomposition.parts().get(b).core().size()];
            blocks[b].copyCore(core);
            sum += Arrays.stream(core).sum();
        }
        return result(sweep, n, sweeps, team, sum);
    }

    /** No solver does a plain seven-point sweep, so this one calls the kernel on one shared grid. */
    private static Run kernelAlone(int n, int threads, int warm, int sweeps) throws InterruptedException {
        GhostGrid layout = new GhostGrid(Box.of(new int[] {0, 0, 0}, new int[] {n, n, n}));
        StencilKernel kernel = KernelChoice.forUnknowns(layout.core().size());
        double[][] grids = {layout.allocate(), layout.allocate()};
        for (double[] grid : grids) {
            for (int row = 0; row < n; row++) {
                Arrays.fill(grid, layout.index(-1, row, 0), layout.index(-1, row, n), 1);
            }
        }
        List<SweepRegion> patches = new ArrayList<>();
        for (int t = 0; t < threads; t++) {
            patches.add(layout.planes(n * t / threads, n * (t + 1) / threads));
        }
        ThreadTeam team = new ThreadTeam(threads);
        team.run(warm, sweeps, (member, number) -> {
            int parity = number & 1;
            kernel.jacobi7(grids[parity], grids[1 - parity], patches.get(member), false);
        });
        double[] core = new double[layout.core().size()];
        layout.copyCore(grids[(warm + sweeps) & 1], core);
        return result(Sweep.JACOBI7, n, sweeps, team, Arrays.stream(core).sum());
    }

    private static Run result(Sweep sweep, int n, int sweeps, ThreadTeam team, double sum) {
        double rate = 1e-6 * sweep.points(n) / team.secondsForSweep();
        return new Run(rate, sum, (double) team.allocated() / sweeps);
    }
}
