// SPDX-License-Identifier: Apache-2.0
package dev.volary.solver.testkit;

import dev.volary.solver.Block;
import dev.volary.solver.Decomposition;
import dev.volary.solver.Edge;
import dev.volary.solver.HaloWriter;
import dev.volary.solver.InvalidProblemException;
import dev.volary.solver.Model;
import dev.volary.solver.Residual;
import dev.volary.solver.Resources;
import dev.volary.solver.SteppedBlock;
import java.util.ArrayList;
import java.util.List;

/**
 * All blocks of a problem in one thread. A {@linkplain #step step} is a synchronous iteration: every block iterates once on
 * the halos of the iteration before. A model that marches in time goes on to its next time step by {@link #commit}.
 */
public final class InProcessSolver {
    private static final int CHECK_AT_LEAST_EVERY = 100;
    /**
     * Hints this close to the tolerance make a look at the residual worthwhile (docs/explanation/certification.md, "when a
     * snapshot is tried").
     */
    private static final double HINT_MARGIN = 3;

    private final Model model;
    private final Decomposition decomposition;
    private final Positions positions;
    private final List<Block> blocks = new ArrayList<>();
    private final List<HaloBuffers> halos = new ArrayList<>();
    private final List<List<int[]>> sources = new ArrayList<>();
    private final double[][] cores;

    private InProcessSolver(Model model, Decomposition decomposition, Resources resources)
            throws InvalidProblemException {
        this.model = model;
        this.decomposition = decomposition;
        this.positions = new Positions(decomposition);
        this.cores = new double[decomposition.blocks()][];
        for (int b = 0; b < decomposition.blocks(); b++) {
            blocks.add(model.block(decomposition, b, resources));
            cores[b] = new double[decomposition.parts().get(b).core().size()];
            List<Edge> incoming = decomposition.incoming(b);
            halos.add(new HaloBuffers(incoming));
            sources.add(incoming.stream().map(positions::inSource).toList());
        }
        exchange();
    }

    /** Opens a model in {@code blocks} blocks with one thread each. */
    public static InProcessSolver open(Model model, int blocks) throws InvalidProblemException {
        return open(model, blocks, Resources.SINGLE);
    }

    /** Opens a model in {@code blocks} blocks with the given resources for each. */
    public static InProcessSolver open(Model model, int blocks, Resources resources) throws InvalidProblemException {
        return new InProcessSolver(model, model.decompose(blocks), resources);
    }

    public Model model() {
        return model;
    }

    public Decomposition decomposition() {
        return decomposition;
    }

    /** Block {@code id}. */
    public Block block(int id) {
        return blocks.get(id);
    }

    /** What block {@code id} reads; filled again by every step. */
    public HaloBuffers halos(int id) {
        return halos.get(id);
    }

    Positions positions() {
        return positions;
    }

    /**
     * Iterates every block once, then passes the halos on.
     *
     * @return the largest of the blocks' hints
     */
    public double step() {
        double hint = 0;
        for (int b = 0; b < blocks.size(); b++) {
            hint = Math.max(hint, blocks.get(b).iterate(halos.get(b)));
        }
        exchange();
        return hint;
    }

    private void exchange() {
        for (int b = 0; b < blocks.size(); b++) {
            if (!(blocks.get(b) instanceof HaloWriter)) {
                blocks.get(b).copyCore(cores[b]);
            }
        }
        for (int b = 0; b < blocks.size(); b++) {
            List<Edge> incoming = decomposition.incoming(b);
            for (int k = 0; k < incoming.size(); k++) {
                double[] target = halos.get(b).refill(k);
                int from = incoming.get(k).from();
                if (blocks.get(from) instanceof HaloWriter writer) {
                    writer.writeHalo(incoming.get(k), target);
                } else {
                    int[] source = sources.get(b).get(k);
                    for (int i = 0; i < source.length; i++) {
                        target[i] = cores[from][source[i]];
                    }
                }
            }
        }
    }

    /** The whole vector as it stands, in global index order. */
    public double[] vector() {
        double[] vector = new double[positions.unknowns()];
        for (int b = 0; b < blocks.size(); b++) {
            blocks.get(b).copyCore(cores[b]);
            positions.place(cores[b], b, vector);
        }
        return vector;
    }

    /** The residual of {@code vector}, combined from the blocks. */
    public Residual residual(double[] vector) {
        Residual sum = Residual.ZERO;
        for (int b = 0; b < blocks.size(); b++) {
            sum = sum.combine(blocks.get(b).residual(positions.core(vector, b), positions.halos(vector, b)));
        }
        return sum;
    }

    /**
     * Commits {@code vector} on every block as the result of the current time step, then passes the halos of the new step on.
     *
     * @throws AssertionError if a block does not march in time
     */
    public void commit(double[] vector) {
        for (int b = 0; b < blocks.size(); b++) {
            stepped(b).commit(positions.core(vector, b), positions.halos(vector, b));
        }
        exchange();
    }

    /** Block {@code id} of a model that marches in time. */
    SteppedBlock stepped(int id) {
        if (blocks.get(id) instanceof SteppedBlock block) {
            return block;
        }
        throw new AssertionError(
                "the model marches in time, but block " + id + " is no SteppedBlock and cannot commit a step");
    }

    /**
     * Steps until the residual, rounding errors included, is within {@code tolerance · scale}.
     *
     * @throws AssertionError if {@code maxIterations} steps do not suffice
     */
    public Solution solve(double tolerance, int maxIterations) {
        double target = tolerance * model.scale();
        Residual residual = residual(vector());
        for (int i = 1; i <= maxIterations; i++) {
            double hint = step();
            if (hint <= HINT_MARGIN * target || i % CHECK_AT_LEAST_EVERY == 0) {
                double[] vector = vector();
                residual = residual(vector);
                if (residual.bound() <= target) {
                    return new Solution(vector, residual, i);
                }
            }
        }
        throw new AssertionError("after " + maxIterations + " iterations the residual is still " + residual.bound()
                + ", not " + target + " (relative tolerance " + tolerance + ")");
    }
}
