// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.linear;

import dev.volary.solver.InvalidProblemException;
import dev.volary.solvers.linear.matrix.SparseMatrix;
import java.util.List;
import java.util.Optional;

/** Refuses singular matrices, with what makes them singular. */
final class SingularityCheck {
    static final String FIX =
            "fix one unknown: replace its row by that of the identity, and its entry of the right-hand side by the value";

    private static final String GIVE = ", or set nullSpace: " + NullSpace.Constants
            + ", if the solution may be any of those that differ by a constant";

    private SingularityCheck() {}

    /**
     * Looks for rows and columns without a nonzero entry.
     *
     * @throws InvalidProblemException if there is one
     */
    static void ofEmptyLines(String source, SparseMatrix matrix) throws InvalidProblemException {
        boolean[] rows = new boolean[matrix.size()];
        boolean[] columns = new boolean[matrix.size()];
        for (int row = 0; row < matrix.size(); row++) {
            for (int k = matrix.rowStart()[row]; k < matrix.rowStart()[row + 1]; k++) {
                if (matrix.values()[k] != 0) {
                    rows[row] = true;
                    columns[matrix.columns()[k]] = true;
                }
            }
        }
        for (int i = 0; i < rows.length; i++) {
            if (!rows[i]) {
                throw new InvalidProblemException(
                        source,
                        "has no entry in row " + (i + 1) + ", so the matrix is singular",
                        "complete the row, or remove it with its unknown");
            }
            if (!columns[i]) {
                throw new InvalidProblemException(
                        source,
                        "has no entry in column " + (i + 1)
                                + ", so the matrix is singular: no equation contains this unknown",
                        "add the equation that determines it, or remove it with its row");
            }
        }
    }

    /**
     * Looks for connected unknowns whose rows all sum to zero, in matrices of any size.
     *
     * @throws InvalidProblemException if there are some
     */
    static void ofConstants(String source, SparseMatrix matrix) throws InvalidProblemException {
        List<ConstantSets.Set> sets = ConstantSets.of(matrix);
        if (!sets.isEmpty()) {
            throw new InvalidProblemException(source, constants(sets.getFirst()), FIX + GIVE);
        }
    }

    private static String constants(ConstantSets.Set set) {
        return set.isAll()
                ? "sums to zero in every row, so the matrix is singular: constants solve A x = 0, as in a pure Neumann problem"
                : "sums to zero in the rows of " + set.unknowns().length
                        + " unknowns that no other row is connected with, such as row "
                        + (set.unknowns()[0] + 1)
                        + ", so the matrix is singular: constants on them solve A x = 0, as in a pure Neumann"
                        + " problem";
    }

    /**
     * Refuses a matrix whose factors show that it is singular.
     *
     * @throws InvalidProblemException if so
     */
    static void of(String source, WholeSolution whole) throws InvalidProblemException {
        if (!whole.isSingular()) {
            return;
        }
        Optional<Integer> free = whole.freeUnknown();
        throw new InvalidProblemException(
                source,
                "is singular to working precision"
                        + free.map(i -> ": a vector that is largest in unknown " + (i + 1) + " solves A x = 0")
                                .orElse(": rows or columns depend on each other"),
                free.isPresent() ? FIX : "remove the dependent equations, or add those that make the solution unique");
    }
}
