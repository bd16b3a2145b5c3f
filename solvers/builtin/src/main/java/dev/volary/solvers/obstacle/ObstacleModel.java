// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.obstacle;

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

/**
 * The unknowns are u[iz][iy][ix] at the grid lines of {@link ObstacleData#coordinate}. The residual is the natural one,
 * {@code min(Au − f, (6/h²)(u − φ))} with {@code Au = (6u − Σ six neighbors)/h²}: the factor 6/h², the diagonal of A, gives
 * both arguments the units of f. It is 6/h² times the step of projected Jacobi, and zero exactly at the solution.
 */
final class ObstacleModel implements Model {
    private final int n;
    private final ObstacleData data;
    private final double gamma;
    private final int sweeps;
    private final double inverseSquare;
    private final double scale;

    ObstacleModel(int n, ObstacleData data, double gamma, int sweeps) {
        this.n = n;
        this.data = data;
        this.gamma = gamma;
        this.sweeps = sweeps;
        this.inverseSquare = 1 / (data.step(n) * data.step(n));
        this.scale = largestRightHandSide();
    }

    /**
     * Below 1/(3(1 + cos πh)) the iteration contracts for every schedule (docs/explanation/problems.md, "obstacle on a cube").
     */
    static double stepLimit(int n) {
        return 1 / (3 * (1 + Math.cos(Math.PI / (n + 1))));
    }

    @Override
    public Shape unknowns() {
        return Shape.of(n, n, n);
    }

    @Override
    public List<GridAxis> axes() {
        return data.axes(n);
    }

    @Override
    public Decomposition decompose(int blocks) throws InvalidProblemException {
        long obstacle = data.uniform() ? 0 : Double.BYTES;
        return GridDecomposition.star(unknowns(), blocks, 1, GridBlockFactory.BYTES_PER_UNKNOWN + obstacle, sweeps);
    }

    @Override
    public Block block(Decomposition decomposition, int id, Resources resources) {
        return GridBlockFactory.open(
                decomposition,
                id,
                resources,
                sweeps,
                (layout, kernel) -> new ObstacleRelaxation(n, data, gamma, layout, kernel));
    }

    /** {@code ‖b‖∞} with b = f plus the boundary terms divided by h². */
    @Override
    public double scale() {
        return scale;
    }

    private double largestRightHandSide() {
        double largest = Math.abs(data.load());
        int[] ends = {0, n - 1};
        for (int end : ends) {
            for (int i = 0; i < n; i++) {
                for (int j = 0; j < n; j++) {
                    // The data are symmetric in the axes, so two opposite faces stand for all six.
                    largest = Math.max(largest, Math.abs(rightHandSide(end, i, j)));
                }
            }
        }
        return largest;
    }

    private double rightHandSide(int iz, int iy, int ix) {
        double sum = 0;
        int[] at = {iz, iy, ix};
        for (int axis = 0; axis < 3; axis++) {
            for (int side = -1; side <= 1; side += 2) {
                at[axis] += side;
                if (at[axis] < 0 || at[axis] == n) {
                    sum += data.boundary(
                            data.coordinate(at[2], n), data.coordinate(at[1], n), data.coordinate(at[0], n));
                }
                at[axis] -= side;
            }
        }
        return sum * inverseSquare + data.load();
    }

    /**
     * Twice {@code γ₁₀ (‖A‖∞ ‖u‖∞ + |f|) / ‖b‖∞} (docs/explanation/certification.md, "attainable floor"): the rounding errors
     * left in the iterate, and those that the certificate allows for.
     */
    @Override
    public double attainableFloor() {
        double magnitude = 12 * inverseSquare * data.largest() + Math.abs(data.load());
        return 2 * ObstacleRelaxation.ROUNDOFF * magnitude / scale;
    }

    @Override
    public Optional<String> method(Decomposition decomposition) {
        return Optional.of(ObstacleMethod.Relaxation.name());
    }

    /**
     * ρ(|I − γA|) = |1 − 6γ| + 6γ cos(πh) for A scaled by h²: the sines are a positive eigenvector. The projection does not
     * expand in any weighted maximum norm. Several sweeps on the same halos contract by at least that and at most its power.
     */
    @Override
    public Optional<Preflight> preflight(Decomposition decomposition) {
        double rate = Math.abs(1 - 6 * gamma) + 6 * gamma * Math.cos(Math.PI / (n + 1));
        double rounding = 4 * Math.ulp(1.0);
        double lower = Math.pow(rate - rounding, sweeps) - rounding;
        return Optional.of(new Preflight(lower, rate + rounding, ""));
    }
}
