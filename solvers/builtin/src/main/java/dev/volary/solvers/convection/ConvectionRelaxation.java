// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.convection;

import dev.volary.solver.Box;
import dev.volary.solver.Residual;
import dev.volary.solvers.kernel.GhostGrid;
import dev.volary.solvers.kernel.Relaxation;
import dev.volary.solvers.kernel.SweepRegion;
import java.util.Arrays;

/** Point Jacobi for convection and diffusion on one block, and the residual that certifies it. */
final class ConvectionRelaxation implements Relaxation {
    private final double largestDiagonal;
    private final boolean solid;
    private final boolean uniformFlow;
    private final boolean uniformSource;
    private final double[] source;
    /** Coefficients of the neighbors by direction, and of the point itself: laid out as the grid, or one row. */
    private final double[][] before = new double[3][];

    private final double[][] after = new double[3][];
    private final double[] diagonal;

    ConvectionRelaxation(ConvectionEquation equation, GhostGrid layout) {
        Box core = layout.core();
        int last = core.axes() - 1;
        solid = last == 2;
        uniformFlow = equation.coefficients().areUniform();
        uniformSource = equation.hasUniformSource();
        int row = core.extent(last);
        int all = layout.allocate().length;
        source = new double[uniformSource ? row : all];
        diagonal = new double[uniformFlow ? row : all];
        for (int direction = solid ? 0 : 1; direction < 3; direction++) {
            before[direction] = new double[diagonal.length];
            after[direction] = new double[diagonal.length];
        }
        for (int plane = 0; plane < (solid ? core.extent(0) : 1); plane++) {
            for (int y = 0; y < core.extent(last - 1); y++) {
                for (int x = 0; x < row; x++) {
                    int i = layout.index(plane, y, x);
                    int planeLine = solid ? core.lo(0) + plane + 1 : 1;
                    int rowLine = core.lo(last - 1) + y + 1;
                    int columnLine = core.lo(last) + x + 1;
                    source[uniformSource ? x : i] = equation.source(planeLine, rowLine, columnLine);
                    setCoefficients(equation, planeLine, rowLine, columnLine, uniformFlow ? x : i);
                }
            }
        }
        largestDiagonal = equation.coefficients().areFromFiles()
                ? Arrays.stream(diagonal).max().orElse(0)
                : equation.largestDiagonal();
    }

    private void setCoefficients(ConvectionEquation equation, int plane, int row, int column, int at) {
        diagonal[at] = 0;
        for (int direction = solid ? 0 : 1; direction < 3; direction++) {
            before[direction][at] = equation.before(direction, plane, row, column);
            after[direction][at] = equation.after(direction, plane, row, column);
            diagonal[at] += before[direction][at] + after[direction][at];
        }
    }

    /** Zero, as the grid already is. */
    @Override
    public void setBoundary(double[] grid) {}

    @Override
    public double sweep(double[] from, double[] to, SweepRegion patch, boolean measure) {
        double change = 0;
        for (int plane = 0; plane < patch.planes(); plane++) {
            for (int row = 0; row < patch.rows(); row++) {
                int start = patch.row(plane, row);
                int end = start + patch.columns();
                int flowShift = uniformFlow ? -start : 0;
                int sourceShift = uniformSource ? -start : 0;
                for (int i = start; i < end; i++) {
                    int k = i + flowShift;
                    to[i] = (neighbors(from, i, k, patch) + source[i + sourceShift]) / diagonal[k];
                }
                for (int i = start; measure && i < end; i++) {
                    change = Math.max(change, Math.abs(to[i] - from[i]));
                }
            }
        }
        return change;
    }

    private double neighbors(double[] u, int i, int k, SweepRegion patch) {
        int row = patch.rowStride();
        double sum =
                before[1][k] * u[i - row] + before[2][k] * u[i - 1] + after[2][k] * u[i + 1] + after[1][k] * u[i + row];
        if (solid) {
            int plane = patch.planeStride();
            sum += before[0][k] * u[i - plane] + after[0][k] * u[i + plane];
        }
        return sum;
    }

    private double magnitudes(double[] u, int i, int k, SweepRegion patch) {
        int row = patch.rowStride();
        double sum = before[1][k] * Math.abs(u[i - row])
                + before[2][k] * Math.abs(u[i - 1])
                + after[2][k] * Math.abs(u[i + 1])
                + after[1][k] * Math.abs(u[i + row]);
        if (solid) {
            int plane = patch.planeStride();
            sum += before[0][k] * Math.abs(u[i - plane]) + after[0][k] * Math.abs(u[i + plane]);
        }
        return sum + diagonal[k] * Math.abs(u[i]);
    }

    /** A sweep changes a point by its residual over its diagonal. */
    @Override
    public double hint(double change) {
        return largestDiagonal * change;
    }

    @Override
    public Residual residualOfRow(double[] grid, SweepRegion patch, int plane, int row) {
        double max = 0;
        double squares = 0;
        double magnitude = 0;
        int start = patch.row(plane, row);
        int flowShift = uniformFlow ? -start : 0;
        int sourceShift = uniformSource ? -start : 0;
        for (int i = start; i < start + patch.columns(); i++) {
            int k = i + flowShift;
            double f = source[i + sourceShift];
            double r = diagonal[k] * grid[i] - neighbors(grid, i, k, patch) - f;
            max = Math.max(max, Math.abs(r));
            squares += r * r;
            magnitude = Math.max(magnitude, magnitudes(grid, i, k, patch) + Math.abs(f));
        }
        return new Residual(max, squares, ConvectionEquation.ROUNDOFF * magnitude);
    }
}
