// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.pagerank;

import dev.volary.solver.Inputs;
import dev.volary.solver.InvalidProblemException;
import dev.volary.solver.Model;
import dev.volary.solver.Parameter;
import dev.volary.solver.ParameterValues;
import dev.volary.solver.Problem;
import dev.volary.solvers.linear.matrix.MatrixFile;
import dev.volary.solvers.linear.matrix.SparseMatrix;
import java.nio.file.Path;
import java.util.List;

/** PageRank of a directed graph from a Matrix Market file. */
public final class PageRankProblem implements Problem {

    /** The links. */
    static final Parameter<String> GRAPH = Parameter.file(
            "graph",
            "Links between pages, a square matrix: a Matrix Market file in coordinate format (pattern, integer or real),"
                    + " gzipped or not, or an .npz file of scipy.sparse.save_npz (CSR, CSC or COO). Values are the weights of"
                    + " links, all positive.");

    /** Which way an entry points. */
    static final Parameter<LinkDirection> DIRECTION = Parameter.choice(
            "direction",
            "What entry (i, j) is: RowToColumn (a link from page i to page j), ColumnToRow (from j to i).",
            LinkDirection.RowToColumn);

    /** The damping. */
    static final Parameter<Double> DAMPING = Parameter.real(
            "damping",
            "Part of its rank that a page passes on over its links; the rest comes from all pages alike.",
            0.85,
            0.01,
            0.999);

    /** Sweeps of one iteration. */
    static final Parameter<Integer> SWEEPS =
            Parameter.integer("sweeps", "Sweeps over the pages of a block in one iteration.", 1, 1, 1000);

    @Override
    public String name() {
        return "pagerank";
    }

    @Override
    public String summary() {
        return "PageRank of a directed graph from a file, certified in the sum of absolute residuals.";
    }

    @Override
    public List<Parameter<?>> parameters() {
        return List.of(GRAPH, DIRECTION, DAMPING, SWEEPS);
    }

    @Override
    public Model open(ParameterValues values, Inputs inputs) throws InvalidProblemException {
        Path file = inputs.resolve(values.get(GRAPH));
        SparseMatrix matrix = MatrixFile.readGraph(file);
        refuseUnusableWeights(file, matrix);
        SparseMatrix outgoing =
                switch (values.get(DIRECTION)) {
                    case RowToColumn -> matrix;
                    case ColumnToRow -> matrix.transpose();
                };
        return new PageRankModel(file.toString(), LinkGraph.of(outgoing, values.get(DAMPING)), values.get(SWEEPS));
    }

    private static void refuseUnusableWeights(Path file, SparseMatrix matrix) throws InvalidProblemException {
        for (int row = 0; row < matrix.size(); row++) {
            for (int k = matrix.rowStart()[row]; k < matrix.rowStart()[row + 1]; k++) {
                if (!(matrix.values()[k] > 0)) {
                    throw new InvalidProblemException(
                            file.toString(),
                            "has the weight " + matrix.values()[k] + " in entry (" + (row + 1) + ", "
                                    + (matrix.columns()[k] + 1) + "), must be positive",
                            "leave out links of weight 0, and shift or drop negative ones");
                }
            }
        }
    }
}
