// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.heat;

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
 * The unknowns are u[iy][ix] at the points of a {@link UnitSquareGrid}. The equations are {@code (4u − Σ four neighbors)/h² = 0},
 * boundary values counting as right-hand side.
 */
final class HeatModel implements Model {
    /** A sweep over this number of points takes a few microseconds, and a halo a hundred. */
    static final int SMALL = 1 << 14;

    private final UnitSquareGrid square;
    private final int sweeps;
    private final int overlap;
    private final double scale;

    /**
     * @param overlap layers that small blocks share with each neighbor
     */
    HeatModel(UnitSquareGrid square, int sweeps, int overlap) {
        this.square = square;
        this.sweeps = sweeps;
        this.overlap = overlap;
        int n = square.n();
        double largest = 0;
        for (int i = 0; i < n; i++) {
            for (int j : new int[] {0, n - 1}) {
                largest = Math.max(largest, Math.abs(square.neighborsOutside(i, j)));
                largest = Math.max(largest, Math.abs(square.neighborsOutside(j, i)));
            }
        }
        this.scale = largest * square.inverseSquare();
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
    public Decomposition decompose(int blocks) throws InvalidProblemException {
        boolean small = unknowns().size() <= (long) SMALL * Math.max(1, blocks);
        int reach = small ? GridDecomposition.largestReach(unknowns(), blocks, 1 + overlap) : 1;
        return GridDecomposition.star(
                unknowns(), blocks, Math.max(1, reach), GridBlockFactory.BYTES_PER_UNKNOWN, sweeps);
    }

    @Override
    public Block block(Decomposition decomposition, int id, Resources resources) {
        return GridBlockFactory.open(
                decomposition, id, resources, sweeps, (layout, kernel) -> new HeatRelaxation(square, layout, kernel));
    }

    /** {@code ‖b‖∞}, b being the boundary terms divided by h². */
    @Override
    public double scale() {
        return scale;
    }

    /**
     * Twice {@code γ₆ ‖A‖∞ ‖u‖∞ / ‖b‖∞} (docs/explanation/certification.md, "attainable floor"): the rounding errors left in
     * the iterate, and those that the certificate allows for. By the maximum principle the boundary bounds the solution.
     */
    @Override
    public double attainableFloor() {
        return 2 * HeatRelaxation.ROUNDOFF * 8 * square.inverseSquare() * square.largest() / scale;
    }

    @Override
    public Optional<String> method(Decomposition decomposition) {
        return Optional.of(HeatMethod.PointJacobi.name());
    }

    /**
     * The absolute Jacobi matrix has the positive eigenvector sin(πx) sin(πy) with eigenvalue cos(πh), so every sweep
     * contracts by cos(πh) in the norm weighted with it, whatever the age of the halos. Several sweeps on the same halos
     * contract by at least that and at most its power.
     */
    @Override
    public Optional<Preflight> preflight(Decomposition decomposition) {
        double rate = Math.cos(Math.PI / (square.n() + 1));
        double lower = Math.nextDown(Math.nextDown(Math.pow(rate, sweeps)));
        return Optional.of(new Preflight(lower, Math.nextUp(Math.nextUp(rate)), ""));
    }
}
