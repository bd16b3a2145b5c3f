// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.multigrid;

import dev.volary.solver.CoarseBlock;
import dev.volary.solver.CoarseSizes;
import dev.volary.solver.Decomposition;
import dev.volary.solver.Edge;
import dev.volary.solver.GridDecomposition;
import dev.volary.solver.InvalidProblemException;
import dev.volary.solver.Residual;
import dev.volary.solver.RoundBlock;
import dev.volary.solver.testkit.HaloBuffers;
import dev.volary.solvers.kernel.GhostGrid;
import dev.volary.solvers.kernel.Relaxation;
import dev.volary.solvers.kernel.SweepRegion;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** All blocks of a grid in one thread, in rounds: what a runtime does, with faults on request. */
final class SequentialRounds {
    private final GridRounds rounds;
    private final Decomposition decomposition;
    private final List<RoundBlock> blocks = new ArrayList<>();
    private final List<HaloBuffers> halos = new ArrayList<>();
    private CoarseBlock coarse;
    private final double[][] loads;
    private final double[][] maps;
    /** The edges from each block, and their places among the halos of the readers. */
    private final Edge[][] outgoing;

    private final int[][] slots;
    private final GridLevel whole;

    /** These tests look at residuals themselves. */
    private static final class NoCertificate implements Relaxation {
        @Override
        public void setBoundary(double[] grid) {}

        @Override
        public double sweep(double[] from, double[] to, SweepRegion patch, boolean measure) {
            throw new AssertionError("a round block does not relax");
        }

        @Override
        public double hint(double change) {
            throw new AssertionError("a round block has its own hint");
        }

        @Override
        public Residual residualOfRow(double[] grid, SweepRegion patch, int plane, int row) {
            return Residual.ZERO;
        }
    }

    /** Rounds with the overlap that suits them. */
    static SequentialRounds of(GridOperator operator, GridData data, int levels, double omega, int count)
            throws InvalidProblemException {
        Decomposition cores = GridDecomposition.star(operator.unknowns(), count, 1, Double.BYTES, 1);
        return new SequentialRounds(new GridRounds(operator, data, levels, omega, cores), count);
    }

    SequentialRounds(GridRounds rounds, int count) throws InvalidProblemException {
        this.rounds = rounds;
        decomposition = rounds.decompose(count);
        CoarseSizes sizes = rounds.sizes(decomposition);
        coarse = rounds.coarseBlock(decomposition);
        loads = new double[count][];
        maps = new double[count][];
        outgoing = new Edge[count][];
        slots = new int[count][];
        for (int b = 0; b < count; b++) {
            blocks.add(open(b));
            halos.add(new HaloBuffers(decomposition.incoming(b)));
            loads[b] = new double[sizes.load(b)];
            maps[b] = new double[sizes.map(b)];
            outgoing[b] = decomposition.outgoing(b).toArray(Edge[]::new);
            slots[b] = Arrays.stream(outgoing[b])
                    .mapToInt(edge -> decomposition.incoming(edge.to()).indexOf(edge))
                    .toArray();
        }
        whole = rounds.level(0, LevelBox.whole(rounds.operator(), 0), true);
        rounds.setSource(whole, 0);
    }

    private RoundBlock open(int id) {
        return rounds.block(decomposition, id, (GhostGrid layout) -> new NoCertificate());
    }

    /** The coarse problem is solved and its solution passed to all blocks. */
    SequentialRounds start() {
        coarse.start();
        for (int b = 0; b < blocks.size(); b++) {
            passMap(b);
        }
        return this;
    }

    /** One round without a fault. */
    void round() {
        round(-1, -1);
    }

    /** One round in which the load of one block and the map to another are lost; −1 for none. */
    void round(int lostLoad, int lostMap) {
        iterateAll();
        for (int b = 0; b < blocks.size(); b++) {
            if (b != lostLoad) {
                blocks.get(b).writeLoad(loads[b]);
                coarse.load(b, loads[b]);
            }
        }
        coarse.round();
        for (int b = 0; b < blocks.size(); b++) {
            if (b != lostMap) {
                passMap(b);
            }
        }
    }

    /** Every block iterates and sends its halos; the coarse problem stays as it is. */
    void iterateAll() {
        for (int b = 0; b < blocks.size(); b++) {
            iterate(b);
        }
        for (int b = 0; b < blocks.size(); b++) {
            sendHalos(b);
        }
    }

    void iterate(int id) {
        blocks.get(id).iterate(halos.get(id));
        halos.get(id).read();
    }

    private void sendHalos(int from) {
        for (int e = 0; e < outgoing[from].length; e++) {
            Edge edge = outgoing[from][e];
            blocks.get(from).writeHalo(edge, halos.get(edge.to()).refill(slots[from][e]));
        }
    }

    void passMap(int to) {
        coarse.writeMap(to, maps[to]);
        blocks.get(to).takeMap(maps[to]);
    }

    /** Replaces a block by a new one that knows the newest map and halos only, and lets it iterate on its own. */
    void replaceFromMap(int id, int healing) {
        RoundBlock replacement = open(id);
        blocks.set(id, replacement);
        coarse.writeMap(id, maps[id]);
        replacement.restoreFromMap(maps[id]);
        for (int k = 0; k < halos.get(id).size(); k++) {
            halos.get(id).refill(k);
        }
        for (int i = 0; i < healing; i++) {
            replacement.iterate(halos.get(id));
        }
    }

    /** Replaces the coarse block by a new one, which takes the newest loads. */
    void replaceCoarseBlock() {
        coarse = rounds.coarseBlock(decomposition);
        for (int b = 0; b < blocks.size(); b++) {
            coarse.load(b, loads[b]);
        }
        coarse.round();
        for (int b = 0; b < blocks.size(); b++) {
            passMap(b);
        }
    }

    /** Rounds until the residual of the assembled vector is within {@code tolerance} times the right-hand side. */
    int roundsTo(double tolerance, int most) {
        return roundsWithin(tolerance * largestSource(), most);
    }

    /** Rounds until the residual of the assembled vector is within {@code target}. */
    int roundsWithin(double target, int most) {
        for (int count = 1; count <= most; count++) {
            round();
            if (residual() <= target) {
                return count;
            }
        }
        throw new AssertionError("after " + most + " rounds the residual is " + residual() + ", not " + target);
    }

    private double largestSource() {
        double max = 0;
        for (double value : whole.f) {
            max = Math.max(max, Math.abs(value));
        }
        return max;
    }

    /** The vector that the cores form. */
    double[] vector() {
        for (int b = 0; b < blocks.size(); b++) {
            double[] core = new double[GridRounds.core(decomposition, b).size()];
            blocks.get(b).copyCore(core);
            whole.copyIn(whole.u, LevelBox.within(GridRounds.core(decomposition, b), rounds.operator(), 0), core, 0);
        }
        double[] vector = new double[whole.inside.size()];
        whole.copyOut(whole.u, whole.inside, vector, 0);
        return vector;
    }

    /** Maximum norm of the residual of {@link #vector}, of the natural one with an obstacle. */
    double residual() {
        vector();
        double[] row = whole.newRow();
        double max = 0;
        for (int z = 1; z <= whole.inside.hi(0); z++) {
            for (int y = 1; y <= whole.inside.hi(1); y++) {
                whole.residualRow(z, y, row);
                for (int x = 1; x <= whole.inside.hi(2); x++) {
                    int i = whole.index(z, y, x);
                    double contact = whole.isConstrained()
                            ? whole.diagonal(z, y, x) * (whole.u[i] - whole.lower[i + whole.obstacleShift(z, y, x)])
                            : Double.POSITIVE_INFINITY;
                    max = Math.max(max, Math.abs(Math.min(-row[whole.slot(x)], contact)));
                }
            }
        }
        return max;
    }

    /** The largest residual that the blocks themselves saw. */
    double roundResidual() {
        return blocks.stream().mapToDouble(RoundBlock::roundResidual).max().orElse(0);
    }
}
