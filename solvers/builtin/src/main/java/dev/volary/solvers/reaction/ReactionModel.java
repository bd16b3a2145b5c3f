// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.reaction;

import dev.volary.solver.Decomposition;
import dev.volary.solver.Edge;
import dev.volary.solver.GridAxis;
import dev.volary.solver.GridDecomposition;
import dev.volary.solver.InvalidProblemException;
import dev.volary.solver.Model;
import dev.volary.solver.Preflight;
import dev.volary.solver.Resources;
import dev.volary.solver.Shape;
import dev.volary.solver.SteppedBlock;
import dev.volary.solver.TimeStepping;
import java.util.List;
import java.util.Optional;

/** The unknowns are c[species][iz][ix] or c[species][iz][iy][ix], concentrations in 1/cm³. */
final class ReactionModel implements Model {
    /** Products of a matrix with a vector in a Newton step, and the sums that go with them, in updates of an unknown. */
    private static final double WORK_PER_POINT = 100;

    private final ReactionEquation equation;
    private final TimeStepping time;
    private final int restart;

    /**
     * @param restart vectors that GMRES keeps
     */
    ReactionModel(ReactionEquation equation, int steps, int restart) {
        this.equation = equation;
        this.time = new TimeStepping(steps, equation.stepLength());
        this.restart = restart;
    }

    @Override
    public String field() {
        return "c";
    }

    /** Molecules per volume. */
    @Override
    public String unit() {
        return "1/cm^3";
    }

    @Override
    public Shape unknowns() {
        return equation.unknowns();
    }

    @Override
    public List<GridAxis> axes() {
        return equation.gridAxes();
    }

    @Override
    public Optional<TimeStepping> timeStepping() {
        return Optional.of(time);
    }

    @Override
    public Decomposition decompose(int blocks) throws InvalidProblemException {
        return GridDecomposition.star(
                equation.points(),
                ReactionEquation.SPECIES,
                blocks,
                1,
                ReactionBlock.bytesPerPoint(restart),
                WORK_PER_POINT);
    }

    @Override
    public SteppedBlock block(Decomposition decomposition, int id, Resources resources) {
        return new ReactionBlock(equation, decomposition, id, restart);
    }

    /** c⁰. */
    @Override
    public void initialHalo(Edge edge, double[] target) {
        int[] next = {0};
        edge.values().forEach(unknowns(), unknown -> target[next[0]++] = equation.initial(unknown));
    }

    /** Residuals are relative already. */
    @Override
    public double scale() {
        return 1;
    }

    /** Twice the rounding bound: errors left in the iterate, and those that the certificate allows for. */
    @Override
    public double attainableFloor() {
        return 2 * ReactionEquation.ROUNDOFF;
    }

    @Override
    public Optional<Preflight> preflight(Decomposition decomposition) {
        return Optional.of(new Preflight(0, equation.pointRate(), "use a shorter stepLength or fewer points"));
    }
}
