// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.linear;

import dev.volary.solver.CoarseSizes;
import dev.volary.solver.Decomposition;
import dev.volary.solver.InvalidProblemException;
import dev.volary.solvers.linear.matrix.SparseMatrix;
import org.jspecify.annotations.Nullable;

/**
 * What all blocks of one decomposition share, and the layout of their loads and maps. Safe to use from several threads.
 *
 * <p><b>Load</b> of a block, with k vectors for each block: the k coefficients of its values in its coarse vectors; k sums
 * (PᵀRAx) that its values contribute to its own coarse equations; k for each block that reads from it; the state of its basis
 * ({@link IterateBasis#STATE} values).
 *
 * <p><b>Map</b> of a block, for itself and each block that it reads from: k coefficients of the coarse solution U, and then k of
 * the correction; the weights of the basis ({@link IterateBasis#STATE} values).
 */
final class LinearRounds implements CoarseSizes {
    private final String source;
    private final String name;
    private final SparseMatrix matrix;
    private final double[] right;
    private final SquareSystem given;
    private final Patches patches;
    private final int vectors;
    private final boolean contracts;
    private final Equilibration scaling;
    private final SparseMatrix scaled;
    private final SparseMatrix columns;
    private @Nullable CoarseSpace space;

    /**
     * @param source the matrix file, for messages
     * @param name of the method with its parameters, for messages
     * @param given the equations whose residual is certified
     * @param scaling of rows and columns
     * @param vectors coarse vectors of each block
     * @param contracts whether iterations on values of different age are known to converge
     */
    LinearRounds(
            String source,
            String name,
            SparseMatrix matrix,
            double[] right,
            SquareSystem given,
            Equilibration scaling,
            Patches patches,
            int vectors,
            boolean contracts) {
        this.source = source;
        this.name = name;
        this.matrix = matrix;
        this.right = right;
        this.given = given;
        this.scaling = scaling;
        this.patches = patches;
        this.vectors = vectors;
        this.contracts = contracts;
        scaled = scaling.apply(matrix);
        columns = scaled.transpose();
    }

    @Override
    public int load(int block) {
        return vectors * (2 + decomposition().outgoing(block).size()) + IterateBasis.STATE;
    }

    @Override
    public int map(int block) {
        return 2 * vectors * (1 + decomposition().incoming(block).size()) + IterateBasis.STATE;
    }

    Decomposition decomposition() {
        return patches.decomposition();
    }

    /** The method with its parameters, for messages. */
    String name() {
        return name;
    }

    /** Coarse vectors of each block. */
    int vectors() {
        return vectors;
    }

    /** The scaling of equations and unknowns. */
    Equilibration scaling() {
        return scaling;
    }

    /** Whether iterations on values of different age are known to converge. */
    boolean contracts() {
        return contracts;
    }

    double[] right() {
        return right;
    }

    /**
     * The coarse space; the first caller computes it.
     *
     * @throws InvalidProblemException if a patch is singular
     */
    synchronized CoarseSpace space() throws InvalidProblemException {
        if (space == null) {
            space = CoarseSpace.of(scaled, patches, vectors, this::solver);
        }
        return space;
    }

    /** The given rows of a block's core. */
    BlockRows core(int block) {
        return BlockRows.of(given.matrix(), given.right(), decomposition(), block);
    }

    /** The rows of a block's patch, those of the core first. */
    BlockRows patch(int block) {
        return BlockRows.of(matrix, right, decomposition(), block, patches.rows()[block]);
    }

    /** The unknowns of a block's patch, those of the core first. */
    int[] rows(int block) {
        return patches.rows()[block];
    }

    /** How many unknowns of a patch are the core. */
    int coreSize(int block) {
        return patches.cores()[block];
    }

    /**
     * The local solver of a block.
     *
     * @throws InvalidProblemException if the patch is singular
     */
    PatchSolver solver(int block) throws InvalidProblemException {
        return PatchSolver.of(scaled, patches, block)
                .orElseThrow(() -> new InvalidProblemException(
                        source,
                        "has a singular diagonal block (block " + block + " of "
                                + decomposition().blocks() + " with its overlap)",
                        "use another number of blocks or another overlap, or method: GaussSeidel"));
    }

    /**
     * Adds what a unit of an unknown contributes to the coarse equations of a part.
     *
     * @param target k sums from {@code from} on
     */
    void addCoarseColumn(CoarseSpace coarse, int part, int unknown, double[] target, int from) {
        for (int e = columns.rowStart()[unknown]; e < columns.rowStart()[unknown + 1]; e++) {
            int row = columns.columns()[e];
            if (patches.owner()[row] == part) {
                double value = columns.values()[e] / scaling.columns()[unknown];
                for (int v = 0; v < vectors; v++) {
                    target[from + v] += value * coarse.at(row, v);
                }
            }
        }
    }
}
