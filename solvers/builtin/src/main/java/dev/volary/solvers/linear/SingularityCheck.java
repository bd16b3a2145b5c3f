// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.linear;

import dev.volary.solver.InvalidProblemException;
import dev.volary.solver.Residual;
import dev.volary.solvers.linear.matrix.SparseMatrix;
import java.nio.file.Path;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * Refuses matrices that are singular to working precision. Structural singularity needs no check of its own: a diagonal
 * without zeros is a perfect matching of rows and columns.
 */
final class SingularityCheck {
    /** Factorizing a matrix of this size takes a fraction of a second; larger singular ones stall, which the job reports. */
    private static final int MOST_ROWS = 2000;

    /** A solution of this size for a right-hand side of size 1: no digit of it is right. */
    private static final double SINGULAR = 1e15;

    private static final long SEED = 5;

    private SingularityCheck() {}

    /**
     * Looks for a vector that the equilibrated matrix takes to zero: constants for every size, and by inverse iteration for small
     * ones.
     *
     * @throws InvalidProblemException if the matrix is singular
     */
    static void of(Path file, SparseMatrix matrix) throws InvalidProblemException {
        if (takesConstantsToZero(matrix)) {
            throw refused(file, "sums to zero in every row, so the matrix is singular: constants solve A x = 0");
        }
        if (matrix.size() > MOST_ROWS) {
            return;
        }
        double[] factors = Equilibration.of(matrix);
        Optional<SparseLu> factorized = SparseLu.of(Equilibration.apply(factors, matrix));
        if (factorized.isEmpty() || largestSolution(factorized.get(), factors.length) > SINGULAR) {
            throw refused(file, "is singular to working precision");
        }
    }

    private static InvalidProblemException refused(Path file, String finding) {
        return new InvalidProblemException(
                file.toString(), finding, "fix an unknown or add the equation that makes the solution unique");
    }

    private static boolean takesConstantsToZero(SparseMatrix matrix) {
        for (int row = 0; row < matrix.size(); row++) {
            double sum = 0;
            double magnitude = 0;
            for (int k = matrix.rowStart()[row]; k < matrix.rowStart()[row + 1]; k++) {
                sum += matrix.values()[k];
                magnitude += Math.abs(matrix.values()[k]);
            }
            if (Math.abs(sum) > Residual.gamma(matrix.rowStart()[row + 1] - matrix.rowStart()[row]) * magnitude) {
                return false;
            }
        }
        return true;
    }

    private static double largestSolution(SparseLu factors, int size) {
        SplittableRandom random = new SplittableRandom(SEED);
        double[] x = random.doubles(size, -1, 1).toArray();
        factors.solve(x);
        double first = LinearModel.maxNorm(x);
        for (int i = 0; i < size; i++) {
            x[i] /= first;
        }
        factors.solve(x);
        double second = LinearModel.maxNorm(x);
        return Double.isFinite(first) && Double.isFinite(second) ? Math.max(first, second) : Double.POSITIVE_INFINITY;
    }
}
