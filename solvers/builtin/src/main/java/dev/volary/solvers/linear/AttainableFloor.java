// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.linear;

import dev.volary.solver.Residual;
import dev.volary.solvers.linear.matrix.SparseMatrix;
import java.util.Arrays;

/**
 * A relative residual below which no vector of doubles can be certified.
 *
 * <p>What is certified is the computed residual plus its rounding bound γ(k + 1) · (|A| |x| + |b|)_i
 * (docs/explanation/certification.md, "rounding bound"), so the rounding bound alone is a floor. The solution's size is not
 * known beforehand; two rigorous lower bounds hold for it without solving:
 *
 * <ul>
 *   <li>row by row, (|A| |x|)_i ≥ |b_i|, hence a floor of 2 γ(k_i + 1) |b_i|;
 *   <li>for every y, ‖x‖∞ ≥ |bᵀy| / ‖Aᵀy‖₁ (because bᵀy = xᵀAᵀy); and where |x_j| = ‖x‖∞, some row has
 *       (|A| |x|)_i ≥ max_i |a_ij| ‖x‖∞. The best y is sought by damped Jacobi sweeps on Aᵀy = 1, which need not converge.
 * </ul>
 *
 * <p>Both hold up to the tolerance itself, as x̄ only nearly solves the system. So whatever can be reached is never refused;
 * an ill-conditioned system may have a true floor above this one.
 */
final class AttainableFloor {
    private static final int MOST_SWEEPS = 60;
    private static final int FEWEST_SWEEPS = 4;

    /** Entries to visit in all sweeps: a fraction of a second. */
    private static final long BUDGET = 100_000_000;

    /**
     * Of the floor of the computed solution. Vectors within a tolerance can have smaller terms, if the system is ill-conditioned, but
     * not by orders of magnitude.
     */
    private static final double CAUTION = 0.1;

    private AttainableFloor() {}

    /**
     * The floor of a system whose solution is known up to rounding.
     *
     * @param x the solution
     */
    static double of(SparseMatrix matrix, double[] b, double[] x) {
        double floor = 0;
        for (int row = 0; row < matrix.size(); row++) {
            double magnitude = Math.abs(b[row]);
            for (int k = matrix.rowStart()[row]; k < matrix.rowStart()[row + 1]; k++) {
                magnitude += Math.abs(matrix.values()[k] * x[matrix.columns()[k]]);
            }
            int length = matrix.rowStart()[row + 1] - matrix.rowStart()[row];
            floor = Math.max(floor, Residual.gamma(length + 1) * magnitude);
        }
        return CAUTION * floor / LinearModel.maxNorm(b);
    }

    static double of(SparseMatrix matrix, double[] b) {
        double scale = LinearModel.maxNorm(b);
        double floor = 0;
        int shortestRow = Integer.MAX_VALUE;
        for (int row = 0; row < matrix.size(); row++) {
            int length = matrix.rowStart()[row + 1] - matrix.rowStart()[row];
            shortestRow = Math.min(shortestRow, length);
            floor = Math.max(floor, 2 * Residual.gamma(length + 1) * (Math.abs(b[row]) / scale));
        }
        double bySize = Residual.gamma(shortestRow + 1) * smallestColumn(matrix) * (solutionAtLeast(matrix, b) / scale);
        return Math.max(floor, bySize);
    }

    /** min over columns of the largest magnitude in the column. */
    private static double smallestColumn(SparseMatrix matrix) {
        double[] largest = new double[matrix.size()];
        for (int k = 0; k < matrix.entries(); k++) {
            int column = matrix.columns()[k];
            largest[column] = Math.max(largest[column], Math.abs(matrix.values()[k]));
        }
        double smallest = Double.POSITIVE_INFINITY;
        for (double l : largest) {
            smallest = Math.min(smallest, l);
        }
        return smallest;
    }

    /** A lower bound of ‖x‖∞ for A x = b. */
    static double solutionAtLeast(SparseMatrix matrix, double[] b) {
        int n = matrix.size();
        double[] diagonal = matrix.diagonal();
        double[] y = new double[n];
        double[] image = new double[n];
        Arrays.fill(y, 1);
        double best = 0;
        long sweeps = Math.clamp(BUDGET / matrix.entries(), FEWEST_SWEEPS, MOST_SWEEPS);
        for (int sweep = 0; sweep < sweeps; sweep++) {
            Arrays.fill(image, 0);
            double product = 0;
            for (int row = 0; row < n; row++) {
                product += b[row] * y[row];
                for (int k = matrix.rowStart()[row]; k < matrix.rowStart()[row + 1]; k++) {
                    image[matrix.columns()[k]] += matrix.values()[k] * y[row];
                }
            }
            double norm = 0;
            for (double v : image) {
                norm += Math.abs(v);
            }
            double bound = Math.abs(product) / norm;
            if (!(bound < Double.POSITIVE_INFINITY)) {
                return best;
            }
            best = Math.max(best, bound);
            for (int i = 0; i < n; i++) {
                y[i] += diagonal[i] == 0 ? 0 : 0.7 * (1 - image[i]) / diagonal[i];
            }
        }
        return best;
    }
}
