// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.convection;

import dev.volary.solver.Residual;
import dev.volary.solver.Shape;
import java.util.Arrays;

/**
 * {@code −ε Δu + v·∇u = f} on n points along each axis of the unit square or cube, u = 0 on its boundary: central differences for
 * the first term, first-order upwind differences for the second. Points are given by lines 1 … n, the boundary being 0 and
 * n + 1; the plane has no meaning on a square.
 */
final class ConvectionEquation {
    /**
     * γ₁₂ = 12u/(1 − 12u): a product, seven additions and two subtractions for each term of a row, two in reserve for the sum of
     * magnitudes; see docs/explanation/certification.md.
     */
    static final double ROUNDOFF = Residual.gamma(12);

    /** Above this cell Péclet number h max|v|/ε red-black sweeps do not smooth enough, and rounds may diverge. */
    private static final double LARGEST_PECLET = 4;

    /** ε u is nowhere larger for f = 1 and a flow without divergence along the walls: that of the disk with the same area. */
    private static final double STIRRED = 1 / (4 * Math.PI);

    private static final double UPWIND_DIFFUSION = 1.0 / 16;

    private final int axes;
    private final int n;
    private final double diffusion;
    private final ConvectionFlow flow;
    private final ConvectionSource source;
    private final double h;
    private final double[] sines;

    ConvectionEquation(int axes, int n, double diffusion, ConvectionFlow flow, ConvectionSource source) {
        this.axes = axes;
        this.n = n;
        this.diffusion = diffusion;
        this.flow = flow;
        this.source = source;
        h = 1.0 / (n + 1);
        sines = new double[n + 2];
        for (int line = 1; line <= n; line++) {
            // The same bits on every machine, as all workers must agree about the problem.
            sines[line] = StrictMath.sin(Math.PI * line * h);
        }
    }

    int axes() {
        return axes;
    }

    /** Interior points along each edge. */
    int n() {
        return n;
    }

    Shape unknowns() {
        return axes == 2 ? Shape.of(n, n) : Shape.of(n, n, n);
    }

    /** Distance of the points of each axis. */
    double[] steps() {
        double[] steps = new double[axes];
        Arrays.fill(steps, h);
        return steps;
    }

    double diffusion() {
        return diffusion;
    }

    ConvectionFlow flow() {
        return flow;
    }

    boolean hasUniformSource() {
        return source == ConvectionSource.One;
    }

    /** The smallest diffusion for which multigrid works in rounds with this number of points. */
    double leastDiffusionOfMultigrid() {
        return h / LARGEST_PECLET;
    }

    double velocity(int direction, int row, int column) {
        return flow.at(direction, row * h, column * h);
    }

    /** Coefficient of the neighbor with the lower number, not negative. */
    double before(int direction, int row, int column) {
        return diffusion / (h * h) + Math.max(velocity(direction, row, column), 0) / h;
    }

    /** Coefficient of the neighbor with the higher number, not negative. */
    double after(int direction, int row, int column) {
        return diffusion / (h * h) + Math.max(-velocity(direction, row, column), 0) / h;
    }

    double source(int plane, int row, int column) {
        if (source == ConvectionSource.One) {
            return 1;
        }
        int[] lines = {plane, row, column};
        double sum = 0;
        for (int direction = 3 - axes; direction < 3; direction++) {
            int line = lines[direction];
            double others = 1;
            for (int other = 3 - axes; other < 3; other++) {
                others *= other == direction ? 1 : sines[lines[other]];
            }
            sum += others
                    * (before(direction, row, column) * (sines[line] - sines[line - 1])
                            + after(direction, row, column) * (sines[line] - sines[line + 1]));
        }
        return sum;
    }

    /** {@code ‖f‖∞}, or a bound of it: differences of the sine are at most π and π². */
    double scale() {
        return source == ConvectionSource.One ? 1 : axes * Math.PI * (diffusion * Math.PI + 1);
    }

    /** The largest diagonal: every velocity adds at most 1/h. */
    double largestDiagonal() {
        return axes * (2 * diffusion / (h * h) + 1 / h);
    }

    /**
     * Twice {@code γ₁₂ (‖A‖∞ ‖u‖∞ + ‖f‖∞) / scale} (docs/explanation/certification.md, "attainable floor"). With a diagonal flow
     * A x ≥ 1, so ‖u‖∞ ≤ 1 for f = 1. Upwind differences of a vortex add some h/16 to the diffusion.
     */
    double attainableFloor() {
        double largest = 1;
        if (source == ConvectionSource.One) {
            largest = flow == ConvectionFlow.Diagonal
                    ? Math.min(1, STIRRED / diffusion)
                    : STIRRED / (diffusion + UPWIND_DIFFUSION * h);
        }
        return 2 * ROUNDOFF * (2 * largestDiagonal() * largest / scale() + 1);
    }

    /**
     * ρ(|T|) of point Jacobi with a uniform flow: the eigenvectors of A are products of those of one axis, so that
     * {@code D ρ = Σ 2 √(before · after) cos πh}.
     */
    double uniformRate() {
        double sum = 0;
        double diagonal = 0;
        for (int direction = 3 - axes; direction < 3; direction++) {
            double before = before(direction, 1, 1);
            double after = after(direction, 1, 1);
            sum += 2 * Math.sqrt(before * after);
            diagonal += before + after;
        }
        return sum / diagonal * StrictMath.cos(Math.PI * h);
    }
}
