// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.convection;

import dev.volary.solver.InvalidProblemException;
import dev.volary.solver.Residual;
import dev.volary.solver.Shape;
import dev.volary.solvers.field.GridField;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * {@code −∇·(ε∇u) + v·∇u = f} on n points along each axis of the unit square or cube, u = 0 on its boundary: central differences for
 * the first term, first-order upwind differences for the second. Points are given by lines 1 … n, the boundary being 0 and
 * n + 1; the plane has no meaning on a square.
 */
final class ConvectionEquation {
    /**
     * γ₁₂ = 12u/(1 − 12u): a product, seven additions and two subtractions for each term of a row, two in reserve for the sum of
     * magnitudes; see docs/explanation/certification.md.
     */
    static final double ROUNDOFF = Residual.gamma(12);

    /** ε u is nowhere larger for f = 1 and a flow without divergence along the walls: that of the disk with the same area. */
    private static final double STIRRED = 1 / (4 * Math.PI);

    private static final double UPWIND_DIFFUSION = 1.0 / 16;

    private final int axes;
    private final int n;
    private final ConvectionCoefficients coefficients;
    private final ConvectionSource source;
    private final @Nullable GridField sourceField;
    private final double h;
    private final double[] sines;
    private volatile double scale;

    /**
     * @param source f by a rule, unless there is a field
     * @param sourceField f at each point, from a file
     */
    ConvectionEquation(ConvectionCoefficients coefficients, ConvectionSource source, @Nullable GridField sourceField) {
        this.axes = coefficients.axes();
        this.n = coefficients.n();
        this.coefficients = coefficients;
        this.source = source;
        this.sourceField = sourceField;
        h = coefficients.h();
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

    ConvectionCoefficients coefficients() {
        return coefficients;
    }

    boolean hasUniformSource() {
        return sourceField == null && source == ConvectionSource.One;
    }

    /** Whether f is that of a product of sines. */
    private boolean isOfSines() {
        return sourceField == null && source == ConvectionSource.Sines;
    }

    /** The smallest diffusion for which multigrid works in rounds with this number of points, if no coefficient is from a file. */
    double leastDiffusionOfMultigrid() {
        return h / MultigridLimits.LARGEST_PECLET;
    }

    /**
     * Checks all numbers of the files.
     *
     * @throws InvalidProblemException if one cannot be used
     */
    void check() throws InvalidProblemException {
        coefficients.check();
        if (sourceField != null) {
            double ignored = sourceField.normOfRightHandSide();
        }
    }

    /** Coefficient of the neighbor with the lower number, positive. */
    double before(int direction, int plane, int row, int column) {
        return coefficients.diffusionBefore(direction, plane, row, column) / (h * h)
                + Math.max(coefficients.velocity(direction, plane, row, column), 0) / h;
    }

    /** Coefficient of the neighbor with the higher number, positive. */
    double after(int direction, int plane, int row, int column) {
        return coefficients.diffusionAfter(direction, plane, row, column) / (h * h)
                + Math.max(-coefficients.velocity(direction, plane, row, column), 0) / h;
    }

    double source(int plane, int row, int column) {
        if (sourceField != null) {
            return sourceField.at(coefficients.index(plane, row, column));
        }
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
                    * (before(direction, plane, row, column) * (sines[line] - sines[line - 1])
                            + after(direction, plane, row, column) * (sines[line] - sines[line + 1]));
        }
        return sum;
    }

    /**
     * {@code ‖f‖∞}, or a bound of it: differences of the sine are at most π and π². Reads all of f if a file gives it, and of the
     * coefficients if they determine it.
     */
    double scale() {
        if (hasUniformSource()) {
            return 1;
        }
        if (sourceField == null && !coefficients.areFromFiles()) {
            return axes * Math.PI * (coefficients.diffusion() * Math.PI + 1);
        }
        if (scale == 0) {
            scale = largestSource();
        }
        return scale;
    }

    private double largestSource() {
        if (sourceField != null) {
            return sourceField.checkedNorm();
        }
        double largest = 0;
        for (int plane = 1; plane <= (axes == 3 ? n : 1); plane++) {
            for (int row = 1; row <= n; row++) {
                for (int column = 1; column <= n; column++) {
                    largest = Math.max(largest, Math.abs(source(plane, row, column)));
                }
            }
        }
        return largest;
    }

    /** The largest diagonal, if no coefficient is from a file: every velocity adds at most 1/h. */
    double largestDiagonal() {
        return axes * (2 * coefficients.diffusion() / (h * h) + 1 / h);
    }

    /**
     * Twice {@code γ₁₂ (‖A‖∞ ‖u‖∞ + ‖f‖∞) / scale} (docs/explanation/certification.md, "attainable floor"). With a diagonal flow
     * A x ≥ 1, so ‖u‖∞ ≤ 1 for f = 1. Upwind differences of a vortex add some h/16 to the diffusion. With coefficients from files
     * the first product is an estimate.
     */
    double attainableFloor() {
        double terms = coefficients.areFromFiles()
                ? new MagnitudeEstimate(coefficients).largestTerm()
                : largestDiagonal() * (isOfSines() ? 1 / scale() : largestSolution());
        return 2 * ROUNDOFF * (2 * terms + 1);
    }

    /** A bound of u for f = 1 and coefficients by rules. */
    private double largestSolution() {
        double diffusion = coefficients.diffusion();
        return coefficients.flow() == ConvectionFlow.Diagonal
                ? Math.min(1, STIRRED / diffusion)
                : STIRRED / (diffusion + UPWIND_DIFFUSION * h);
    }

    /**
     * ρ(|T|) of point Jacobi with a uniform flow: the eigenvectors of A are products of those of one axis, so that
     * {@code D ρ = Σ 2 √(before · after) cos πh}.
     */
    double uniformRate() {
        double sum = 0;
        double diagonal = 0;
        for (int direction = 3 - axes; direction < 3; direction++) {
            double before = before(direction, 1, 1, 1);
            double after = after(direction, 1, 1, 1);
            sum += 2 * Math.sqrt(before * after);
            diagonal += before + after;
        }
        return sum / diagonal * StrictMath.cos(Math.PI * h);
    }
}
