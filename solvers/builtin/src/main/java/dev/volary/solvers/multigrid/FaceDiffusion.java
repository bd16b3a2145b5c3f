// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.multigrid;

import org.jspecify.annotations.Nullable;

/**
 * The coefficients of {@code −∇·(ε∇u)} on one level. On a coarse level ε between two points is the harmonic mean of the faces of
 * the finest level on the line between them, as for resistors in series.
 */
final class FaceDiffusion {
    private final GridOperator operator;
    private final int level;
    private final GridOperator.@Nullable Diffusion diffusion;

    FaceDiffusion(GridOperator operator, int level) {
        this.operator = operator;
        this.level = level;
        diffusion = operator.diffusion().orElse(null);
    }

    /** The coefficient of the neighbor with the lower number. */
    double before(AxisLevel axis, int direction, int[] point) {
        int k = point[direction];
        if (diffusion == null) {
            return axis.left[k];
        }
        double epsilon = between(diffusion, direction, point, k);
        return 2 * epsilon / (axis.cell[k] * (axis.cell[k] + axis.cell[k + 1]));
    }

    /** The coefficient of the neighbor with the higher number. */
    double after(AxisLevel axis, int direction, int[] point) {
        int k = point[direction];
        if (diffusion == null) {
            return axis.right[k];
        }
        double epsilon = between(diffusion, direction, point, k + 1);
        return 2 * epsilon / (axis.cell[k + 1] * (axis.cell[k] + axis.cell[k + 1]));
    }

    /** ε between points {@code k − 1} and k of the direction; exactly ε if it is the same on all faces. */
    private double between(GridOperator.Diffusion of, int direction, int[] point, int k) {
        int first = operator.line(direction, level, k - 1) + 1;
        int last = operator.line(direction, level, k);
        double reference = at(of, direction, point, first);
        double sum = 1;
        for (int line = first + 1; line <= last; line++) {
            sum += reference / at(of, direction, point, line);
        }
        return reference * ((last - first + 1) / sum);
    }

    private double at(GridOperator.Diffusion of, int direction, int[] point, int line) {
        return of.before(
                direction,
                direction == 0 ? line : operator.line(0, level, point[0]),
                direction == 1 ? line : operator.line(1, level, point[1]),
                direction == 2 ? line : operator.line(2, level, point[2]));
    }
}
