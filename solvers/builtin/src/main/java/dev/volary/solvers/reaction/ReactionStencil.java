// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.reaction;

import dev.volary.solver.Residual;

/**
 * The equations of one implicit Euler step on one block, {@code G(c) = c − cⁿ − Δt f(tⁿ⁺¹, c) = 0}, and their linearization. Each
 * row is divided by its weight, the sum of the magnitudes of its terms plus {@link ReactionEquation#NEGLIGIBLE}. So a residual says
 * how much the terms would have to change, relatively, for c to be exact (W. Oettli, W. Prager, 1964). Vectors have the order of
 * the core; grids have ghosts, which must be set. Immutable.
 */
final class ReactionStencil {
    private final SpeciesGrid layout;
    private final double stepLength;
    private final double west;
    private final double east;
    private final double beside;
    private final double[] above;
    private final double[] below;
    private final double[] center;
    private final int levelDirection;
    private final int levelStride;
    private final int besideStride;

    ReactionStencil(ReactionEquation equation, SpeciesGrid layout) {
        this.layout = layout;
        stepLength = equation.stepLength();
        west = equation.west();
        east = equation.east();
        beside = equation.beside();
        boolean solid = layout.core().axes() == 3;
        levelDirection = solid ? 0 : 1;
        levelStride = layout.stride(levelDirection);
        besideStride = solid ? layout.stride(1) : 0;
        int levels = layout.extent(levelDirection);
        above = new double[levels];
        below = new double[levels];
        center = new double[levels];
        for (int level = 0; level < levels; level++) {
            above[level] = equation.above(layout.core().lo(0) + level);
            below[level] = equation.below(layout.core().lo(0) + level);
            center[level] = west + east + 2 * beside + above[level] + below[level];
        }
    }

    /**
     * The residual of the concentrations c.
     *
     * @param committed cⁿ
     */
    Residual residual(DiurnalChemistry chemistry, double[][] c, double[][] committed) {
        double largest = 0;
        double squares = 0;
        for (int plane = 0; plane < layout.extent(0); plane++) {
            for (int row = 0; row < layout.extent(1); row++) {
                int level = level(plane, row);
                int start = layout.row(plane, row);
                for (int i = start; i < start + layout.extent(2); i++) {
                    for (int species = 0; species < ReactionEquation.SPECIES; species++) {
                        double r = Math.abs(defect(chemistry, c, committed, species, i, level))
                                / weight(chemistry, c, committed, species, i, level);
                        // Math.max, since it keeps NaN
                        largest = Math.max(largest, r);
                        squares += r * r;
                    }
                }
            }
        }
        return new Residual(largest, squares, ReactionEquation.ROUNDOFF);
    }

    /**
     * Prepares a Newton step.
     *
     * @param target minus the residuals, relative to the weights
     * @param weights what the rows are divided by
     * @return the largest magnitude in {@code target}
     */
    double linearize(
            DiurnalChemistry chemistry, double[][] c, double[][] committed, double[] target, double[] weights) {
        double largest = 0;
        int p = 0;
        for (int species = 0; species < ReactionEquation.SPECIES; species++) {
            for (int plane = 0; plane < layout.extent(0); plane++) {
                for (int row = 0; row < layout.extent(1); row++) {
                    int level = level(plane, row);
                    int start = layout.row(plane, row);
                    for (int i = start; i < start + layout.extent(2); i++) {
                        weights[p] = weight(chemistry, c, committed, species, i, level);
                        target[p] = -defect(chemistry, c, committed, species, i, level) / weights[p];
                        largest = Math.max(largest, Math.abs(target[p]));
                        p++;
                    }
                }
            }
        }
        return largest;
    }

    /**
     * The matrix {@code I − Δt ∂f/∂c} times a change of the concentrations, row by row divided by the weights.
     *
     * @param change its ghosts are zero where another block owns them
     */
    void apply(DiurnalChemistry chemistry, double[][] c, double[][] change, double[] weights, double[] target) {
        double[] d1 = change[0];
        double[] d2 = change[1];
        int half = layout.size();
        int p = 0;
        for (int plane = 0; plane < layout.extent(0); plane++) {
            for (int row = 0; row < layout.extent(1); row++) {
                int level = level(plane, row);
                int start = layout.row(plane, row);
                for (int i = start; i < start + layout.extent(2); i++) {
                    double capture = DiurnalChemistry.CAPTURE * d1[i];
                    double loss = DiurnalChemistry.LOSS * (c[0][i] * d2[i] + c[1][i] * d1[i]);
                    double light = chemistry.photolysis() * d2[i];
                    double row1 = d1[i] - transport(d1, i, level) - stepLength * (light - capture - loss);
                    double row2 = d2[i] - transport(d2, i, level) - stepLength * (capture - loss - light);
                    target[p] = row1 / weights[p];
                    target[p + half] = row2 / weights[p + half];
                    p++;
                }
            }
        }
    }

    /**
     * Solves the two equations of each point for its own two changes (block Jacobi).
     *
     * @param rows right-hand sides, relative to the weights
     */
    void solvePoints(DiurnalChemistry chemistry, double[][] c, double[] rows, double[] weights, double[][] change) {
        int half = layout.size();
        int p = 0;
        for (int plane = 0; plane < layout.extent(0); plane++) {
            for (int row = 0; row < layout.extent(1); row++) {
                double diagonal = 1 + center[level(plane, row)];
                int start = layout.row(plane, row);
                for (int i = start; i < start + layout.extent(2); i++) {
                    double loss1 = DiurnalChemistry.LOSS * c[1][i];
                    double loss2 = DiurnalChemistry.LOSS * c[0][i];
                    double a11 = diagonal + stepLength * (DiurnalChemistry.CAPTURE + loss1);
                    double a12 = stepLength * (loss2 - chemistry.photolysis());
                    double a21 = stepLength * (loss1 - DiurnalChemistry.CAPTURE);
                    double a22 = diagonal + stepLength * (chemistry.photolysis() + loss2);
                    double b1 = rows[p] * weights[p];
                    double b2 = rows[p + half] * weights[p + half];
                    double determinant = a11 * a22 - a12 * a21;
                    change[0][i] = (b1 * a22 - a12 * b2) / determinant;
                    change[1][i] = (a11 * b2 - a21 * b1) / determinant;
                    p++;
                }
            }
        }
    }

    private int level(int plane, int row) {
        return levelDirection == 0 ? plane : row;
    }

    private double defect(
            DiurnalChemistry chemistry, double[][] c, double[][] committed, int species, int i, int level) {
        double rate = species == 0 ? chemistry.rate1(c[0][i], c[1][i]) : chemistry.rate2(c[0][i], c[1][i]);
        double[] grid = c[species];
        return grid[i] - committed[species][i] - transport(grid, i, level) - stepLength * rate;
    }

    private double transport(double[] grid, int i, int level) {
        return west * grid[i - 1]
                + east * grid[i + 1]
                + beside * (grid[i - besideStride] + grid[i + besideStride])
                + below[level] * grid[i - levelStride]
                + above[level] * grid[i + levelStride]
                - center[level] * grid[i];
    }

    /** The sum of the magnitudes of the terms of {@link #defect}, and what is negligible. */
    private double weight(
            DiurnalChemistry chemistry, double[][] c, double[][] committed, int species, int i, int level) {
        double[] grid = c[species];
        double transported = Math.abs(west) * Math.abs(grid[i - 1])
                + Math.abs(east) * Math.abs(grid[i + 1])
                + beside * (Math.abs(grid[i - besideStride]) + Math.abs(grid[i + besideStride]))
                + below[level] * Math.abs(grid[i - levelStride])
                + above[level] * Math.abs(grid[i + levelStride])
                + center[level] * Math.abs(grid[i]);
        double reacting = chemistry.terms(species, Math.abs(c[0][i]), Math.abs(c[1][i]));
        return Math.abs(grid[i])
                + Math.abs(committed[species][i])
                + transported
                + stepLength * reacting
                + ReactionEquation.NEGLIGIBLE;
    }
}
