// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.reaction;

import dev.volary.solver.GridAxis;
import dev.volary.solver.Residual;
import dev.volary.solver.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The domain, 0 ≤ x, y ≤ 20 km and 30 ≤ z ≤ 50 km with n points along each axis, those on the boundary included, and one implicit Euler
 * step on it: the coefficients of central differences, times the length Δt of the step. No flux passes the boundary: values beyond it
 * are those of the points beside it, mirrored.
 */
final class ReactionEquation {
    static final int SPECIES = 2;

    /** A concentration far below this, in 1/cm³, is as good as none. */
    static final double NEGLIGIBLE = 100;

    /**
     * γ₂₀: nine roundings for each term of a row, as many for the sum of their magnitudes, a division, and one in reserve; see
     * docs/explanation/certification.md.
     */
    static final double ROUNDOFF = Residual.gamma(20);

    private static final double HORIZONTAL_DIFFUSION = 4e-6;
    private static final double VELOCITY = 1e-3;
    private static final double LENGTH = 20;
    private static final double BOTTOM = 30;
    /** Unit of all lengths here. */
    private static final String KILOMETERS = "km";

    private static final double[] LARGEST = {1e6, 1e12};

    private final int axes;
    private final int n;
    private final double stepLength;
    private final InitialProfile profile;
    private final double h;
    private final double[] bump;

    /**
     * @param axes 2 for x and z, 3 for y too
     * @param n points along each axis
     * @param stepLength Δt, in seconds
     */
    ReactionEquation(int axes, int n, double stepLength, InitialProfile profile) {
        this.axes = axes;
        this.n = n;
        this.stepLength = stepLength;
        this.profile = profile;
        h = LENGTH / (n - 1);
        bump = new double[n];
        Arrays.setAll(bump, i -> {
            double square = 0.1 * (i * h - LENGTH / 2);
            square *= square;
            return 1 - square + square * square / 2;
        });
    }

    /** The grid, z first. */
    Shape points() {
        return axes == 2 ? Shape.of(n, n) : Shape.of(n, n, n);
    }

    /** The species before the grid. */
    Shape unknowns() {
        return axes == 2 ? Shape.of(SPECIES, n, n) : Shape.of(SPECIES, n, n, n);
    }

    double stepLength() {
        return stepLength;
    }

    /** Those of the unknowns: the species, then z, y and x in km. */
    List<GridAxis> gridAxes() {
        List<GridAxis> all =
                new ArrayList<>(List.of(GridAxis.components("species"), new GridAxis("z", BOTTOM, h, KILOMETERS)));
        if (axes == 3) {
            all.add(new GridAxis("y", 0, h, KILOMETERS));
        }
        all.add(new GridAxis("x", 0, h, KILOMETERS));
        return all;
    }

    /**
     * A concentration at time 0.
     *
     * @param unknown global index: species, z, y and x, the last one the fastest
     */
    double initial(long unknown) {
        int column = (int) (unknown % n);
        long rest = unknown / n;
        double across = 1;
        if (axes == 3) {
            across = profile == InitialProfile.UniformInY ? 1 : bump[(int) (rest % n)];
            rest /= n;
        }
        int level = (int) (rest % n);
        return LARGEST[(int) (rest / n)] * (bump[column] * across * bump[level]);
    }

    /** Of a value on the value with the next lower x. */
    double west() {
        return horizontal() - advection();
    }

    double east() {
        return horizontal() + advection();
    }

    /** Of each value on the two beside it on the axis y; 0 without this axis. */
    double beside() {
        return axes == 2 ? 0 : horizontal();
    }

    /** Of a value of a level on the next higher one. */
    double above(int level) {
        return vertical(level + 0.5);
    }

    double below(int level) {
        return vertical(level - 0.5);
    }

    private double horizontal() {
        return stepLength * HORIZONTAL_DIFFUSION / (h * h);
    }

    private double advection() {
        return stepLength * VELOCITY / (2 * h);
    }

    /** The diffusion Kv = 1e-8 exp(z/5) between two levels. */
    private double vertical(double level) {
        return stepLength * 1e-8 * StrictMath.exp((BOTTOM + level * h) / 5) / (h * h);
    }

    /**
     * A bound of ρ(|T|) for point relaxation that solves both equations of a point exactly, with any concentrations that are not negative;
     * larger blocks do better. With a weight of ½ on the boundary no sum of a column of diffusion is positive, so the columns
     * of {@code I − Δt J} are dominant up to the advection: docs/explanation/problems.md, "advection, diffusion and reaction".
     */
    double pointRate() {
        double diffusion = 2 * (axes - 1) * horizontal();
        double largest = 0;
        for (int level = 0; level < n; level++) {
            double all = diffusion + above(level) + below(level);
            largest = Math.max(largest, (all + 2 * advection()) / (1 + all));
        }
        return largest;
    }
}
