// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.convection;

import dev.volary.solver.InvalidProblemException;
import dev.volary.solvers.field.GridField;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The diffusion ε and the velocity v of a {@link ConvectionEquation}, by a rule or from a file each. Points are given by lines as
 * there; directions are planes 0, rows 1 and columns 2. Immutable.
 */
final class ConvectionCoefficients {
    private final int axes;
    private final int n;
    private final double h;
    private final double diffusion;
    private final ConvectionFlow flow;
    private final @Nullable GridField diffusionField;
    private final @Nullable GridField flowField;
    /** Points of the grid, numbers of one component of a velocity. */
    private final long points;

    /**
     * @param diffusion ε, unless there is a field
     * @param flow v, unless there is a field
     * @param diffusionField ε at each point
     * @param flowField one component of v after the other, the slowest axis first, at each point
     */
    ConvectionCoefficients(
            int axes,
            int n,
            double diffusion,
            ConvectionFlow flow,
            @Nullable GridField diffusionField,
            @Nullable GridField flowField) {
        this.axes = axes;
        this.n = n;
        this.diffusion = diffusion;
        this.flow = flow;
        this.diffusionField = diffusionField;
        this.flowField = flowField;
        h = 1.0 / (n + 1);
        points = (axes == 3 ? (long) n : 1) * n * n;
    }

    int axes() {
        return axes;
    }

    int n() {
        return n;
    }

    double h() {
        return h;
    }

    /** ε if it is a rule. */
    double diffusion() {
        return diffusion;
    }

    /** v if it is a rule. */
    ConvectionFlow flow() {
        return flow;
    }

    /** Whether ε comes from a file. */
    boolean hasDiffusionField() {
        return diffusionField != null;
    }

    /** Whether ε or v comes from a file. */
    boolean areFromFiles() {
        return diffusionField != null || flowField != null;
    }

    /** Whether all rows of the equation are known to have the same coefficients. */
    boolean areUniform() {
        return !areFromFiles() && flow.isUniform();
    }

    /**
     * Checks all numbers of the files.
     *
     * @throws InvalidProblemException if one is not finite, or a diffusion is not positive
     */
    void check() throws InvalidProblemException {
        if (diffusionField != null) {
            diffusionField.requirePositive();
        }
        if (flowField != null) {
            GridField.Range ignored = flowField.range();
        }
    }

    /**
     * The least ε.
     *
     * @throws InvalidProblemException if a number cannot be used
     */
    double leastDiffusion() throws InvalidProblemException {
        return diffusionField == null ? diffusion : diffusionField.range().least();
    }

    double velocity(int direction, int plane, int row, int column) {
        return flowField == null
                ? flow.at(direction, row * h, column * h)
                : flowField.at((direction + axes - 3) * points + index(plane, row, column));
    }

    /** ε at a point. */
    double diffusionAt(int plane, int row, int column) {
        return diffusionField == null ? diffusion : diffusionField.at(index(plane, row, column));
    }

    /** ε at all points of a row, the first at index 0. */
    void copyDiffusion(int plane, int row, double[] target) {
        if (diffusionField == null) {
            Arrays.fill(target, diffusion);
        } else {
            diffusionField.read(index(plane, row, 1), target);
        }
    }

    /**
     * ε on the face between a point and the one before it in a direction, 1 … n + 1 there: the harmonic mean of both; beside the
     * boundary that of the point inside.
     */
    double diffusionBefore(int direction, int plane, int row, int column) {
        if (diffusionField == null) {
            return diffusion;
        }
        int line = direction == 0 ? plane : direction == 1 ? row : column;
        long stride = direction == 0 ? (long) n * n : direction == 1 ? n : 1;
        long point = index(plane, row, column);
        double before = diffusionField.at(line > 1 ? point - stride : point);
        double after = diffusionField.at(line <= n ? point : point - stride);
        return harmonicMean(before, after);
    }

    /** ε on the face between a point and the one after it in a direction. */
    double diffusionAfter(int direction, int plane, int row, int column) {
        return diffusionBefore(
                direction,
                direction == 0 ? plane + 1 : plane,
                direction == 1 ? row + 1 : row,
                direction == 2 ? column + 1 : column);
    }

    /** Exact if both are the same, the same in both orders, and never beyond the range of both. */
    static double harmonicMean(double one, double other) {
        double least = Math.min(one, other);
        double greatest = Math.max(one, other);
        return least * (greatest / (0.5 * least + 0.5 * greatest));
    }

    /** The place of a point in an array of a file. */
    long index(int plane, int row, int column) {
        return ((axes == 3 ? plane - 1L : 0) * n + row - 1) * n + column - 1;
    }
}
