// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.linear;

import dev.volary.solver.Inputs;
import dev.volary.solver.InvalidProblemException;
import dev.volary.solver.Model;
import dev.volary.solver.Parameter;
import dev.volary.solver.ParameterValues;
import dev.volary.solver.Problem;
import dev.volary.solvers.linear.matrix.MatrixFile;
import dev.volary.solvers.linear.matrix.SparseMatrix;
import dev.volary.solvers.multigrid.AutomaticModel;
import dev.volary.solvers.multigrid.MethodChoice;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** A sparse linear system {@code A x = b} from a file. */
public final class LinearSystemProblem implements Problem {

    /** The matrix. */
    static final Parameter<String> MATRIX = Parameter.file(
            "matrix",
            "Square real sparse matrix: a Matrix Market file in coordinate format, gzipped or not, or an .npz file of"
                    + " scipy.sparse.save_npz (CSR, CSC or COO).");

    /** The right-hand side, if a file gives it. */
    static final Parameter<String> RHS = Parameter.optionalFile(
            "rhs",
            "Right-hand side: a Matrix Market vector, or text with one number on each line, gzipped or not, or an .npy file"
                    + " of numpy.save.");

    /** The right-hand side, if no file gives it. */
    static final Parameter<RightHandSide.Rule> RHS_RULE = Parameter.choice(
            "rhsRule",
            "Right-hand side when rhs is not given: Ones (b = 1), IndexOverN (b_i = i/n, counted from 1), "
                    + "RowSums (so that x = 1).",
            RightHandSide.Rule.Ones);

    /** What A x = 0 has for solutions. */
    static final Parameter<NullSpace> NULL_SPACE = Parameter.choice(
            "nullSpace",
            "None: the solution is unique. Constants: constants may be added to it where rows sum to zero, as in a pure Neumann problem;"
                    + " columns must sum to zero there too, and so must the right-hand side. The result is the solution that is zero at"
                    + " one unknown of each such part.",
            NullSpace.None);

    /** The method. */
    static final Parameter<LinearSystemMethod> METHOD = Parameter.choice(
            "method",
            "How a block improves its values; Auto: Schwarz (two levels, in rounds; see overlap and vectors), or Direct "
                    + "where Schwarz cannot be used. Relaxation: PointJacobi (one sweep), GaussSeidel (see sweeps), Direct "
                    + "(a block is solved exactly).",
            LinearSystemMethod.Auto);

    /** Sweeps of one iteration. */
    static final Parameter<Integer> SWEEPS =
            Parameter.integer("sweeps", "Sweeps of one local solve; only the method GaussSeidel uses it.", 1, 1, 1000);

    /** Layers that patches share. */
    static final Parameter<Integer> OVERLAP = Parameter.integer(
            "overlap",
            "For Schwarz: layers of the matrix graph that a block computes beyond its own unknowns; more of them need "
                    + "fewer rounds; 0 chooses.",
            0,
            0,
            100);

    /** Coarse vectors. */
    static final Parameter<Integer> VECTORS = Parameter.integer(
            "vectors",
            "For Schwarz: unknowns of the coarse problem for each block; more of them need fewer rounds; 0 chooses.",
            0,
            0,
            16);

    /** The places of the unknowns. */
    static final Parameter<String> COORDINATES = Parameter.optionalFile(
            "coordinates",
            "Where the unknowns lie: an .npy file of numpy.save with n rows of 2 or 3 numbers. The result stores them; pictures and"
                    + " exports show the mesh.");

    /** The cells between the unknowns. */
    static final Parameter<String> CELLS = Parameter.optionalFile(
            "cells",
            "Cells of the mesh, with coordinates: an .npy file with one row for each cell, of unknowns counted from 0: 3 for triangles,"
                    + " 4 for quadrilaterals in the plane or tetrahedra in space, 2 for lines. Default: a line for each entry of the"
                    + " matrix off its diagonal.");

    @Override
    public String name() {
        return "linear-system";
    }

    @Override
    public String summary() {
        return "A sparse linear system A x = b from a Matrix Market file or one of SciPy.";
    }

    @Override
    public List<Parameter<?>> parameters() {
        return List.of(MATRIX, RHS, RHS_RULE, NULL_SPACE, METHOD, SWEEPS, OVERLAP, VECTORS, COORDINATES, CELLS);
    }

    @Override
    public Model open(ParameterValues values, Inputs inputs) throws InvalidProblemException {
        Path file = inputs.resolve(values.get(MATRIX));
        SparseMatrix matrix = MatrixFile.read(file);
        SingularityCheck.ofEmptyLines(file.toString(), matrix);
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
        Optional<InputMesh> mesh = mesh(values, inputs, matrix);
        boolean isPinned = values.get(NULL_SPACE) == NullSpace.Constants;
        LinearSystemMethod method = values.get(METHOD);
        if (!method.inRounds()) {
            MethodChoice.requireDefault(values, OVERLAP, method, LinearSystemMethod.Schwarz);
            MethodChoice.requireDefault(values, VECTORS, method, LinearSystemMethod.Schwarz);
            LinearModel relaxed = new LinearModel(file.toString(), matrix, b, method.relaxation(), values.get(SWEEPS));
            return completed(relaxed, isPinned, source, mesh);
        }
        MethodChoice.requireDefault(values, SWEEPS, method, LinearSystemMethod.GaussSeidel);
        SquareSystem system = SquareSystem.of(file.toString(), matrix, b);
        LinearModel plain =
                new LinearModel(file.toString(), system.matrix(), system.right(), method.relaxation(), 1, true);
        LinearModel relaxed = completed(plain, isPinned, source, mesh);
        LinearRoundsModel rounds = new LinearRoundsModel(relaxed, values.get(OVERLAP), values.get(VECTORS));
        return method == LinearSystemMethod.Schwarz ? rounds : new AutomaticModel(rounds, relaxed, rounds::objection);
    }

    private static LinearModel completed(
            LinearModel model, boolean isPinned, String sourceOfRight, Optional<InputMesh> mesh)
            throws InvalidProblemException {
        LinearModel regular = isPinned
                ? model.by(PinnedSystem.of(model.source(), sourceOfRight, model.matrix(), model.right()))
                : model;
        return mesh.map(regular::on).orElse(regular);
    }

    private static Optional<InputMesh> mesh(ParameterValues values, Inputs inputs, SparseMatrix matrix)
            throws InvalidProblemException {
        Optional<String> coordinates = values.find(COORDINATES);
        Optional<String> cells = values.find(CELLS);
        if (coordinates.isEmpty()) {
            if (cells.isPresent()) {
                throw new InvalidProblemException(
                        CELLS.name(),
                        "is \"" + cells.get() + "\", but no coordinates are given",
                        "give coordinates: the file with the places of the unknowns, or remove it");
            }
            return Optional.empty();
        }
        Path places = inputs.resolve(coordinates.get());
        return Optional.of(
                cells.isPresent()
                        ? InputMesh.open(places, inputs.resolve(cells.get()), matrix.size())
                        : InputMesh.ofPattern(places, matrix));
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
