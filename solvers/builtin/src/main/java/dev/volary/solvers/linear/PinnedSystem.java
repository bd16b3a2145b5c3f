// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.linear;

import dev.volary.solver.InvalidProblemException;
import dev.volary.solver.Residual;
import dev.volary.solvers.linear.matrix.SparseMatrix;
import java.util.List;

/**
 * A system whose solution is unique up to constants, made regular: in each set of connected unknowns whose rows sum to zero, one
 * unknown is zero. Its row and its column are those of the identity, times its diagonal entry. The pattern stays, with zeros stored,
 * so decompositions serve the given system as well.
 *
 * <p>The columns of such a set sum to zero too, so every vector leaves residuals in it whose sum is that of the right-hand side, S. The
 * solution of this system spreads it evenly: S / n at each of n unknowns, the smallest maximum norm that there is.
 *
 * @param matrix regular, unless the given one has other defects
 * @param right the right-hand side, less its mean on each set, and zero at the unknowns that are zero
 * @param floor the largest |S| / n
 */
@SuppressWarnings("ArrayRecordComponent") // equality of systems is never asked for
record PinnedSystem(SparseMatrix matrix, double[] right, double floor) {
    /** Of the sum of magnitudes, the sum that rounding in a file may leave of a right-hand side. */
    private static final double ROUNDED = 1e-6;

    /**
     * Fixes an unknown in each set.
     *
     * @param source the matrix file, for messages
     * @param sourceOfRight the same of the right-hand side
     * @throws InvalidProblemException if there is no such set, if the columns of one do not sum to zero, or if its right-hand side does
     *     not
     */
    static PinnedSystem of(String source, String sourceOfRight, SparseMatrix matrix, double[] right)
            throws InvalidProblemException {
        List<ConstantSets.Set> sets = ConstantSets.of(matrix);
        if (sets.isEmpty()) {
            throw new InvalidProblemException(
                    LinearSystemProblem.NULL_SPACE.name(),
                    "is " + NullSpace.Constants + ", but no connected rows of " + source + " all sum to zero",
                    "remove it: the solution is unique, or the matrix is singular in another way");
        }
        SparseMatrix transposed = matrix.transpose();
        double[] diagonal = matrix.diagonal();
        double[] balanced = right.clone();
        boolean[] pinned = new boolean[matrix.size()];
        double floor = 0;
        for (ConstantSets.Set set : sets) {
            requireColumnSums(source, transposed, set);
            double mean = mean(sourceOfRight, set, right);
            for (int i : set.unknowns()) {
                balanced[i] -= mean;
            }
            int pin = pin(source, set, diagonal, right);
            balanced[pin] = 0;
            pinned[pin] = true;
            floor = Math.max(floor, Math.abs(mean));
        }
        return new PinnedSystem(decoupled(matrix, pinned), balanced, floor);
    }

    /** The unknown with the smallest entry of b: the largest one determines the scale. */
    private static int pin(String source, ConstantSets.Set set, double[] diagonal, double[] right)
            throws InvalidProblemException {
        int pin = -1;
        for (int i : set.unknowns()) {
            if (diagonal[i] != 0 && (pin < 0 || Math.abs(right[i]) < Math.abs(right[pin]))) {
                pin = i;
            }
        }
        if (pin < 0) {
            throw new InvalidProblemException(
                    LinearSystemProblem.NULL_SPACE.name(),
                    "is " + NullSpace.Constants + ", but no diagonal entry of " + source + " is nonzero among "
                            + set.describe(),
                    SingularityCheck.FIX);
        }
        return pin;
    }

    /** The matrix with zeros off the diagonal in the rows and columns of these unknowns. */
    private static SparseMatrix decoupled(SparseMatrix matrix, boolean[] pinned) {
        double[] values = matrix.values().clone();
        for (int row = 0; row < matrix.size(); row++) {
            for (int k = matrix.rowStart()[row]; k < matrix.rowStart()[row + 1]; k++) {
                int column = matrix.columns()[k];
                if (row != column && (pinned[row] || pinned[column])) {
                    values[k] = 0;
                }
            }
        }
        return new SparseMatrix(matrix.rowStart(), matrix.columns(), values);
    }

    private static void requireColumnSums(String source, SparseMatrix transposed, ConstantSets.Set set)
            throws InvalidProblemException {
        for (int i : set.unknowns()) {
            if (!ConstantSets.sumsToZero(transposed, i)) {
                throw new InvalidProblemException(
                        LinearSystemProblem.NULL_SPACE.name(),
                        "is " + NullSpace.Constants + ", but column " + (i + 1) + " of " + source
                                + " does not sum to zero as the rows do, so it is unknown which right-hand sides have a solution",
                        SingularityCheck.FIX);
            }
        }
    }

    /** The mean of the right-hand side on a set, which is zero but for rounding. */
    private static double mean(String source, ConstantSets.Set set, double[] right) throws InvalidProblemException {
        double sum = 0;
        double magnitude = 0;
        for (int i : set.unknowns()) {
            sum += right[i];
            magnitude += Math.abs(right[i]);
        }
        int n = set.unknowns().length;
        if (!(Math.abs(sum) <= Math.max(ROUNDED, Residual.gamma(n)) * magnitude)) {
            throw new InvalidProblemException(
                    source,
                    "sums to " + sum + " over " + set.describe()
                            + ", but A x sums to zero there for every x, so no x solves A x = b",
                    "subtract the mean, " + sum / n + ", from its entries there, or correct its sources and fluxes");
        }
        return sum / n;
    }
}
