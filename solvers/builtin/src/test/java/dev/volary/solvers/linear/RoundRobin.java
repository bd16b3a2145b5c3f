// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.linear;

import dev.volary.solver.Block;
import dev.volary.solver.Decomposition;
import dev.volary.solver.Edge;
import dev.volary.solver.HaloWriter;
import dev.volary.solver.Halos;
import dev.volary.solver.InvalidProblemException;
import dev.volary.solver.Model;
import dev.volary.solver.Residual;
import dev.volary.solver.Resources;
import java.util.List;

/** Iterates all blocks of a model in turn, each reading its neighbors' newest values. */
final class RoundRobin {
    private final Model model;
    private final Decomposition decomposition;
    private final HaloWriter[] blocks;
    private final ArrayHalos[] halos;

    static final class ArrayHalos implements Halos {
        private final List<Edge> edges;
        private final double[][] arrays;

        ArrayHalos(List<Edge> edges) {
            this.edges = edges;
            this.arrays =
                    edges.stream().map(edge -> new double[edge.haloSize()]).toArray(double[][]::new);
        }

        @Override
        public int size() {
            return arrays.length;
        }

        @Override
        public double[] values(int k) {
            return arrays[k];
        }

        @Override
        public boolean fresh(int k) {
            return true;
        }
    }

    RoundRobin(Model model, int count) throws InvalidProblemException {
        this.model = model;
        this.decomposition = model.decompose(count);
        this.blocks = new HaloWriter[count];
        this.halos = new ArrayHalos[count];
        for (int id = 0; id < count; id++) {
            blocks[id] = (HaloWriter) model.block(decomposition, id, Resources.SINGLE);
            halos[id] = new ArrayHalos(decomposition.incoming(id));
        }
    }

    Block block(int id) {
        return blocks[id];
    }

    /** The newest halos of a block. */
    Halos halosOf(int id) {
        List<Edge> edges = halos[id].edges;
        for (int k = 0; k < edges.size(); k++) {
            blocks[edges.get(k).from()].writeHalo(edges.get(k), halos[id].arrays[k]);
        }
        return halos[id];
    }

    /** Iterates until the certified residual is at most {@code tolerance · scale}. Returns the number of rounds. */
    int solve(double tolerance, int mostRounds) {
        for (int round = 1; round <= mostRounds; round++) {
            double hint = 0;
            for (int id = 0; id < blocks.length; id++) {
                hint = Math.max(hint, blocks[id].iterate(halosOf(id)));
            }
            if (hint <= 3 * tolerance * model.scale() && residual().bound() <= tolerance * model.scale()) {
                return round;
            }
        }
        throw new AssertionError(
                "residual is " + residual() + " after " + mostRounds + " rounds, scale " + model.scale());
    }

    Residual residual() {
        Residual residual = Residual.ZERO;
        for (int id = 0; id < blocks.length; id++) {
            double[] core = new double[decomposition.parts().get(id).core().size()];
            blocks[id].copyCore(core);
            residual = residual.combine(blocks[id].residual(core, halosOf(id)));
        }
        return residual;
    }

    double[] vector() {
        double[] x = new double[Math.toIntExact(model.unknowns().size())];
        for (int id = 0; id < blocks.length; id++) {
            long[] indices = decomposition.parts().get(id).core().indices(decomposition.unknowns());
            double[] core = new double[indices.length];
            blocks[id].copyCore(core);
            for (int i = 0; i < indices.length; i++) {
                x[(int) indices[i]] = core[i];
            }
        }
        return x;
    }
}
