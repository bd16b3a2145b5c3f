// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.poisson;

import dev.volary.solver.Block;
import dev.volary.solver.Decomposition;
import dev.volary.solver.GridAxis;
import dev.volary.solver.GridDecomposition;
import dev.volary.solver.InvalidProblemException;
import dev.volary.solver.Model;
import dev.volary.solver.Preflight;
import dev.volary.solver.Resources;
import dev.volary.solver.Shape;
import dev.volary.solvers.kernel.GridBlockFactory;
import java.util.List;
import java.util.Optional;

/** A {@link PoissonEquation} by point Jacobi. */
final class PoissonRelaxationModel implements Model {
    private final PoissonEquation equation;
    private final int sweeps;

    PoissonRelaxationModel(PoissonEquation equation, int sweeps) {
        this.equation = equation;
        this.sweeps = sweeps;
    }

    @Override
    public Shape unknowns() {
        return equation.unknowns();
    }

    @Override
    public List<GridAxis> axes() {
        return GridAxis.interior(0, 1, equation.n(), 3);
    }

    /** A right-hand side that varies takes two more arrays. */
    @Override
    public Decomposition decompose(int blocks) throws InvalidProblemException {
        long source = equation.isUniform() ? 0 : 2 * Double.BYTES;
        return GridDecomposition.star(unknowns(), blocks, 1, GridBlockFactory.BYTES_PER_UNKNOWN + source, sweeps);
    }

    @Override
    public Block block(Decomposition decomposition, int id, Resources resources) {
        return GridBlockFactory.open(
                decomposition,
                id,
                resources,
                sweeps,
                (layout, kernel) -> new PoissonRelaxation(equation, layout, kernel));
    }

    @Override
    public void selfCheck() throws InvalidProblemException {
        equation.check();
    }

    @Override
    public double scale() {
        return equation.scale();
    }

    @Override
    public double attainableFloor() {
        return equation.attainableFloor();
    }

    @Override
    public Optional<String> method(Decomposition decomposition) {
        return Optional.of(PoissonMethod.Relaxation.name());
    }

    /**
     * As for the heat on a square: the sines are a positive eigenvector of |T|, with eigenvalue cos(πh). Several sweeps on the
     * same halos contract by at least that and at most its power.
     */
    @Override
    public Optional<Preflight> preflight(Decomposition decomposition) {
        double rate = Math.cos(Math.PI / (equation.n() + 1));
        double lower = Math.nextDown(Math.nextDown(Math.pow(rate, sweeps)));
        return Optional.of(new Preflight(lower, Math.nextUp(Math.nextUp(rate)), ""));
    }
}
