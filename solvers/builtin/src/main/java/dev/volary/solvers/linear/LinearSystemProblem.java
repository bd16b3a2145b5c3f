// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.linear;

import dev.volary.solver.Inputs;
import dev.volary.solver.InvalidProblemException;
import dev.volary.solver.Model;
import dev.volary.solver.Parameter;
import dev.volary.solver.ParameterValues;
import dev.volary.solver.Problem;
import dev.volary.solvers.linear.matrix.MatrixMarketReader;
import dev.volary.solvers.linear.matrix.SparseMatrix;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** A sparse linear system {@code A x = b} from a Matrix Market file. */
public final class LinearSystemProblem implements Problem {

    /** The matrix. */
    static final Parameter<String> MATRIX =
            Parameter.file("matrix", "Square real sparse matrix in Matrix Market coordinate format, gzipped or not.");

    /** The right-hand side, if a file gives it. */
    static final Parameter<String> RHS = Parameter.optionalFile(
            "rhs", "Right-hand side: a Matrix Market vector, or text with one number on each line; gzipped or not.");

    /** The right-hand side, if no file gives it. */
    static final Parameter<RightHandSide.Rule> RHS_RULE = Parameter.choice(
            "rhsRule",
            "Right-hand side when rhs is not given: Ones (b = 1), IndexOverN (b_i = i/n, counted from 1), "
                    + "RowSums (so that x = 1).",
            RightHandSide.Rule.Ones);

    /** The local solve. */
    static final Parameter<LinearMethod> METHOD = Parameter.choice(
            "method",
            "Local solve of a block: PointJacobi (one sweep), GaussSeidel (see sweeps), Direct (factorized once).",
            LinearMethod.Direct);

    /** Sweeps of one iteration. */
    static final Parameter<Integer> SWEEPS =
            Parameter.integer("sweeps", "Sweeps of one local solve; only the method GaussSeidel uses it.", 1, 1, 1000);

    @Override
    public String name() {
        return "linear-system";
    }

    @Override
    public String summary() {
        return "A sparse linear system A x = b from a Matrix Market file, by block relaxation with local solves.";
    }

    @Override
    public List<Parameter<?>> parameters() {
        return List.of(MATRIX, RHS, RHS_RULE, METHOD, SWEEPS);
    }

    @Override
    public Model open(ParameterValues values, Inputs inputs) throws InvalidProblemException {
        Path file = inputs.resolve(values.get(MATRIX));
        SparseMatrix matrix = MatrixMarketReader.read(file);
        refuseUnusableRows(file, matrix);
        Optional<String> rhs = values.find(RHS);
        String source;
        double[] b;
        if (rhs.isPresent()) {
            Path rhsFile = inputs.resolve(rhs.get());
            source = rhsFile.toString();
            b = RightHandSide.read(rhsFile, matrix.size());
        } else {
            source = "rhsRule";
            b = values.get(RHS_RULE).of(matrix);
        }
        refuseUnusable(source, b);
        return new LinearModel(file.toString(), matrix, b, values.get(METHOD), values.get(SWEEPS));
    }

    /** Every method divides by the diagonal, or needs it for its certificate. */
    private static void refuseUnusableRows(Path file, SparseMatrix matrix) throws InvalidProblemException {
        double[] diagonal = matrix.diagonal();
        for (int row = 0; row < matrix.size(); row++) {
            if (matrix.rowStart()[row] == matrix.rowStart()[row + 1]) {
                throw new InvalidProblemException(
                        file.toString(),
                        "has no entry in row " + (row + 1) + ", so the matrix is singular",
                        "complete the row, or remove it with its unknown");
            }
            if (diagonal[row] == 0) {
                throw new InvalidProblemException(
                        file.toString(),
                        "has a zero diagonal in row " + (row + 1),
                        "permute the rows so that every diagonal entry is nonzero");
            }
        }
    }

    private static void refuseUnusable(String source, double[] b) throws InvalidProblemException {
        double norm = LinearModel.maxNorm(b);
        if (norm == 0) {
            throw new InvalidProblemException(
                    source,
                    "gives a right-hand side of zeros: the solution is x = 0, and a relative tolerance means nothing",
                    "give a right-hand side that is not zero");
        }
        if (!Double.isFinite(norm)) {
            throw new InvalidProblemException(
                    source, "gives a right-hand side that is not finite", "scale the matrix so that its row sums are");
        }
    }
}
