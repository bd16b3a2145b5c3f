package dev.volary.solvers.heat;

import dev.volary.solver.Block;
import dev.volary.solver.Decomposition;
import dev.volary.solver.GridDecomposition;
import dev.volary.solver.InvalidProblem;
import dev.volary.solver.Model;
import dev.volary.solver.Preflight;
import dev.volary.solver.Resources;
import dev.volary.solver.Shape;
import dev.volary.solvers.kernel.GridBlocks;
import java.util.Optional;

/**
 * The unknowns are u[iy][ix] at x = (ix + 1)h, y = (iy + 1)h with h = 1/(n + 1). The equations are
 * {@code (4u − Σ four neighbours)/h² = 0}, boundary values counting as right-hand side.
 */
final class HeatModel implements Model {
    private final int n;
    private final Boundary boundary;
    private final int sweeps;
    private final double scale;
    private final double largest;

    HeatModel(int n, Boundary boundary, int sweeps) {
        this.n = n;
        this.boundary = boundary;
        this.sweeps = sweeps;
        double ofRow = 0;
        double ofPoint = 0;
        for (int i = 0; i < n; i++) {
            for (int j : new int[] {0, n - 1}) {
                ofRow = Math.max(ofRow, Math.max(Math.abs(rightHandSide(i, j)), Math.abs(rightHandSide(j, i))));
            }
            for (int j : new int[] {-1, n}) {
                ofPoint = Math.max(ofPoint, Math.max(Math.abs(value(i, j)), Math.abs(value(j, i))));
            }
        }
        this.scale = ofRow;
        this.largest = ofPoint;
    }

    private double value(int iy, int ix) {
        return boundary.at((ix + 1) / (n + 1.0), (iy + 1) / (n + 1.0));
    }

    /** The boundary terms of one row of the system. */
    private double rightHandSide(int iy, int ix) {
        double sum = 0;
        sum += iy == 0 ? value(-1, ix) : 0;
        sum += ix == 0 ? value(iy, -1) : 0;
        sum += ix == n - 1 ? value(iy, n) : 0;
        sum += iy == n - 1 ? value(n, ix) : 0;
        return sum * inverseSquare(n);
    }

    static double inverseSquare(int n) {
        return (n + 1.0) * (n + 1.0);
    }

    @Override
    public Shape unknowns() {
        return Shape.of(n, n);
    }

    @Override
    public Decomposition decompose(int blocks) throws InvalidProblem {
        return GridDecomposition.star(unknowns(), blocks, 1, GridBlocks.BYTES_PER_UNKNOWN, sweeps);
    }

    @Override
    public Block block(Decomposition decomposition, int id, Resources resources) {
        return GridBlocks.open(
                decomposition,
                id,
                resources,
                sweeps,
                (layout, kernel) -> new HeatRelaxation(n, boundary, layout, kernel));
    }

    /** {@code ‖b‖∞}, b being the boundary terms divided by h². */
    @Override
    public double scale() {
        return scale;
    }

    /**
     * Twice {@code γ₆ ‖A‖∞ ‖u‖∞ / ‖b‖∞} (algorithms reference §C.5): the rounding errors left in the iterate, and those that
     * the certificate allows for. By the maximum principle the boundary bounds the solution.
     */
    @Override
    public double attainableFloor() {
        return 2 * HeatRelaxation.ROUNDOFF * 8 * inverseSquare(n) * largest / scale;
    }

    /**
     * The absolute Jacobi matrix has the positive eigenvector sin(πx) sin(πy) with eigenvalue cos(πh), so every sweep
     * contracts by cos(πh) in the norm weighted with it, whatever the age of the halos. Several sweeps on the same halos
     * contract by at least that and at most its power.
     */
    @Override
    public Optional<Preflight> preflight(Decomposition decomposition) {
        double rate = Math.cos(Math.PI / (n + 1));
        double lower = Math.nextDown(Math.nextDown(Math.pow(rate, sweeps)));
        return Optional.of(new Preflight(lower, Math.nextUp(Math.nextUp(rate)), ""));
    }
}
