// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.reaction;

import dev.volary.solver.Decomposition;
import dev.volary.solver.Edge;
import dev.volary.solver.HaloWriter;
import dev.volary.solver.Halos;
import dev.volary.solver.Residual;
import dev.volary.solver.SteppedBlock;
import dev.volary.solvers.kernel.SavedArrays;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * Newton multisplitting on one block: an iteration is one inexact Newton step for the equations of the block with frozen halos. The linear
 * equations are solved by {@link Gmres}, preconditioned from the right by the exact solution at each point, in rows relative to
 * their weights.
 *
 * <p>The hint is the residual on the newest halos before the step.
 */
final class ReactionBlock implements SteppedBlock, HaloWriter {
    /** How far GMRES reduces the residual of a Newton step: a further iteration on newer halos gains more than a smaller number. */
    private static final double FORCING = 1e-3;

    private static final int CYCLES = 5;

    private final SpeciesGrid layout;
    private final ReactionStencil stencil;
    private final double stepLength;
    private final double[][] current;
    private final double[][] committed;
    private final double[][] change;
    private final double[] rightSide;
    private final double[] weights;
    private final double[] solution;
    private final Gmres gmres;
    private final Gmres.Operator preconditioned;
    private final Object residualLock = new Object();
    private final double[][] recorded;
    private DiurnalChemistry chemistry;
    private int step = 1;

    ReactionBlock(ReactionEquation equation, Decomposition decomposition, int id, int restart) {
        layout = new SpeciesGrid(decomposition, id);
        stencil = new ReactionStencil(equation, layout);
        stepLength = equation.stepLength();
        current = layout.allocate();
        committed = layout.allocate();
        change = layout.allocate();
        recorded = layout.allocate();
        int unknowns = ReactionEquation.SPECIES * layout.size();
        rightSide = new double[unknowns];
        weights = new double[unknowns];
        solution = new double[unknowns];
        gmres = new Gmres(unknowns, restart);
        preconditioned = this::applyPreconditioned;
        chemistry = DiurnalChemistry.at(stepLength);
        int[] next = {0};
        decomposition
                .parts()
                .get(id)
                .core()
                .forEach(decomposition.unknowns(), unknown -> solution[next[0]++] = equation.initial(unknown));
        layout.setCore(committed, solution);
        layout.setCore(current, solution);
    }

    /** Heap for each point of a block. */
    static long bytesPerPoint(int restart) {
        int grids = 4;
        int vectors = 3 + restart + 1;
        return (long) ReactionEquation.SPECIES * (grids + vectors) * Double.BYTES;
    }

    /** The local solve is as good as exact. */
    @Override
    public double reach() {
        return Double.POSITIVE_INFINITY;
    }

    @Override
    public double iterate(Halos newest) {
        layout.readHalos(current, newest);
        layout.mirror(current);
        double hint = stencil.linearize(chemistry, current, committed, rightSide, weights);
        gmres.solve(preconditioned, rightSide, solution, FORCING, CYCLES);
        stencil.solvePoints(chemistry, current, solution, weights, change);
        layout.add(change, current);
        return hint;
    }

    private void applyPreconditioned(double[] x, double[] target) {
        stencil.solvePoints(chemistry, current, x, weights, change);
        layout.mirror(change);
        stencil.apply(chemistry, current, change, weights, target);
    }

    @Override
    public void copyCore(double[] target) {
        layout.copyCore(current, target);
    }

    @Override
    public void setCore(double[] core, Halos halos) {
        layout.setCore(current, core);
    }

    @Override
    public void writeHalo(Edge edge, double[] target) {
        layout.copyEdge(current, edge, target);
    }

    /** {@inheritDoc} Evaluated on arrays of its own. */
    @Override
    public Residual residual(double[] core, Halos halos) {
        synchronized (residualLock) {
            layout.setCore(recorded, core);
            layout.readHalos(recorded, halos);
            layout.mirror(recorded);
            return stencil.residual(chemistry, recorded, committed);
        }
    }

    @Override
    public int step() {
        return step;
    }

    /** {@inheritDoc} The certified values are also the guess that the next step starts from. */
    @Override
    public void commit(double[] certified, Halos halos) {
        enter(step + 1, certified);
        layout.setCore(current, certified);
    }

    private void enter(int entered, double[] values) {
        synchronized (residualLock) {
            step = entered;
            chemistry = DiurnalChemistry.at(entered * stepLength);
            layout.setCore(committed, values);
        }
    }

    @Override
    public void save(DataOutput out) throws IOException {
        double[] values = new double[weights.length];
        layout.copyCore(committed, values);
        out.writeInt(step);
        SavedArrays.write(out, values);
    }

    @Override
    public void load(DataInput in) throws IOException {
        int saved = in.readInt();
        double[] values = new double[weights.length];
        SavedArrays.read(in, values);
        enter(saved, values);
    }
}
