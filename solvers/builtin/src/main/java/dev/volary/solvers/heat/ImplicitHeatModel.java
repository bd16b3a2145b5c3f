// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.heat;

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
import dev.volary.solvers.kernel.GridBlockFactory;
import java.util.List;
import java.util.Optional;

/**
 * The unknowns are u[iy][ix] at the points of a {@link UnitSquareGrid}. The equations of step s are
 * {@code (1 + 4μ)u − μ Σ four neighbors = uˢ⁻¹} with μ = κ Δt / h², boundary values counting as right-hand side.
 *
 * <p>With the harmonic polynomial p as boundary value, and u⁰ = p + sin(πx) sin(πy), their solution is known:
 * uˢ = p + sin(πx) sin(πy)/(1 + κ Δt λ)ˢ with λ = 8/h² · sin²(πh/2), the eigenvalue of the five-point scheme.
 */
final class ImplicitHeatModel implements Model {
    private final UnitSquareGrid square;
    private final TimeStepping time;
    private final int sweeps;
    private final double coupling;
    private final double scale;
    private final double largest;

    ImplicitHeatModel(UnitSquareGrid square, double diffusivity, TimeStepping time, int sweeps) {
        this.square = square;
        this.time = time;
        this.sweeps = sweeps;
        this.coupling = diffusivity * time.stepLength() * square.inverseSquare();
        int n = square.n();
        double ofRow = 0;
        double ofPoint = square.largest();
        SineMode bump = new SineMode(n);
        for (int iy = 0; iy < n; iy++) {
            for (int ix = 0; ix < n; ix++) {
                double initial = square.value(iy, ix) + bump.at(iy, ix);
                ofPoint = Math.max(ofPoint, Math.abs(initial));
                ofRow = Math.max(ofRow, Math.abs(initial + coupling * square.neighborsOutside(iy, ix)));
            }
        }
        this.scale = ofRow;
        this.largest = ofPoint;
    }

    @Override
    public Shape unknowns() {
        return Shape.of(square.n(), square.n());
    }

    @Override
    public List<GridAxis> axes() {
        return square.axes();
    }

    @Override
    public Optional<TimeStepping> timeStepping() {
        return Optional.of(time);
    }

    /** The committed values are a fourth array. */
    @Override
    public Decomposition decompose(int blocks) throws InvalidProblemException {
        return GridDecomposition.star(unknowns(), blocks, 1, GridBlockFactory.BYTES_PER_UNKNOWN + Double.BYTES, sweeps);
    }

    @Override
    public SteppedBlock block(Decomposition decomposition, int id, Resources resources) {
        return GridBlockFactory.openStepped(
                decomposition,
                id,
                resources,
                sweeps,
                (layout, kernel) -> new ImplicitHeatRelaxation(square, coupling, layout, kernel));
    }

    /** u⁰. */
    @Override
    public void initialHalo(Edge edge, double[] target) {
        SineMode bump = new SineMode(square.n());
        int[] next = {0};
        edge.values().forEach(unknowns(), unknown -> {
            int iy = (int) (unknown / square.n());
            int ix = (int) (unknown % square.n());
            target[next[0]++] = square.value(iy, ix) + bump.at(iy, ix);
        });
    }

    /** {@code ‖b‖∞} of the first step: b is u⁰ plus μ times the boundary terms. */
    @Override
    public double scale() {
        return scale;
    }

    /**
     * Twice {@code γ₁₀ (‖A‖∞ ‖u‖∞ + ‖uˢ⁻¹‖∞) / ‖b‖∞} (docs/explanation/certification.md, "attainable floor"): the rounding
     * errors left in the iterate, and those that the certificate allows for. By the maximum principle no step exceeds the
     * initial and boundary values.
     */
    @Override
    public double attainableFloor() {
        return 2 * ImplicitHeatRelaxation.ROUNDOFF * (2 + 8 * coupling) * largest / scale;
    }

    @Override
    public Optional<String> method(Decomposition decomposition) {
        return Optional.of(HeatMethod.PointJacobi.name());
    }

    /** As for Laplace's equation, with the eigenvalue 4μ/(1 + 4μ) cos(πh): the shorter the step, the faster. */
    @Override
    public Optional<Preflight> preflight(Decomposition decomposition) {
        double rate = 4 * coupling / (1 + 4 * coupling) * Math.cos(Math.PI / (square.n() + 1));
        double rounding = 4 * Math.ulp(1.0);
        return Optional.of(new Preflight(Math.pow(rate, sweeps) * (1 - sweeps * rounding), rate * (1 + rounding), ""));
    }
}
