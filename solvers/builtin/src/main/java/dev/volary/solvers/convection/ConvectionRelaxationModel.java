// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.convection;

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

/** A {@link ConvectionEquation} by point Jacobi. */
final class ConvectionRelaxationModel implements Model {
    private final ConvectionEquation equation;
    private final String reason;

    /** @param reason why a job that leaves the method open relaxes, for users; may be empty */
    ConvectionRelaxationModel(ConvectionEquation equation, String reason) {
        this.equation = equation;
        this.reason = reason;
    }

    @Override
    public Shape unknowns() {
        return equation.unknowns();
    }

    @Override
    public List<GridAxis> axes() {
        return GridAxis.interior(0, 1, equation.n(), equation.axes());
    }

    @Override
    public Decomposition decompose(int blocks) throws InvalidProblemException {
        int arrays = (equation.coefficients().areUniform() ? 0 : 2 * equation.axes() + 1)
                + (equation.hasUniformSource() ? 0 : 1);
        long bytes = GridBlockFactory.BYTES_PER_UNKNOWN + (long) arrays * Double.BYTES;
        return GridDecomposition.star(unknowns(), blocks, 1, bytes, 1);
    }

    @Override
    public Block block(Decomposition decomposition, int id, Resources resources) {
        return GridBlockFactory.open(
                decomposition, id, resources, 1, (layout, kernel) -> new ConvectionRelaxation(equation, layout));
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
        return Optional.of(ConvectionMethod.PointJacobi.name() + reason);
    }

    /**
     * With a positive diffusion on every face and any velocity, upwind differences give an M-matrix that is weakly dominant, strictly so beside the boundary, and connected: ρ(|T|) < 1
     * (Shivakumar and Chew 1974). A uniform flow has the exact number.
     */
    @Override
    public Optional<Preflight> preflight(Decomposition decomposition) {
        if (!equation.coefficients().areUniform()) {
            return Optional.of(new Preflight(0, Preflight.BELOW_ONE, ""));
        }
        double rate = equation.uniformRate();
        double roundoff = 0x1p-49;
        return Optional.of(
                new Preflight(rate * (1 - roundoff), Math.min(Preflight.BELOW_ONE, rate * (1 + roundoff)), ""));
    }
}
