// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.linear;

import dev.volary.solver.InvalidProblemException;
import dev.volary.solvers.linear.matrix.SparseMatrix;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * The coarse space of a two-level method: some test vectors, relaxed by the blocks on A e = 0 so that what the blocks cannot
 * reduce remains, cut at the borders of the cores, and orthonormalized in each core. Everything is in the scaled unknowns
 * C⁻¹ x. Immutable.
 */
final class CoarseSpace {
    private static final int RELAXATIONS = 8;
    /** Of a test vector's part, below which it depends on those before. */
    private static final double DEPENDENT = 1e-10;

    private static final long SEED = 20_260_301;

    private final int vectors;
    private final double[] basis;
    private final double[] product;

    private CoarseSpace(int vectors, double[] basis, double[] product) {
        this.vectors = vectors;
        this.basis = basis;
        this.product = product;
    }

    /**
     * @param scaled R A C
     * @param vectors of each block
     * @throws InvalidProblemException if a patch is singular
     */
    static CoarseSpace of(SparseMatrix scaled, Patches patches, int vectors, PatchSolver.Factory factory)
            throws InvalidProblemException {
        double[][] tests = start(scaled.size(), vectors);
        PatchSolver[] solvers = new PatchSolver[patches.rows().length];
        for (int b = 0; b < solvers.length; b++) {
            solvers[b] = factory.open(b);
        }
        double[] residual = new double[scaled.size()];
        for (double[] test : tests) {
            for (int r = 0; r < RELAXATIONS; r++) {
                multiply(scaled, test, residual);
                for (PatchSolver solver : solvers) {
                    solver.subtractFromCore(residual, test);
                }
                normalize(test);
            }
        }
        double[] basis = new double[scaled.size() * vectors];
        for (int b = 0; b < solvers.length; b++) {
            orthonormalize(tests, patches.rows()[b], patches.cores()[b], vectors, basis);
        }
        return new CoarseSpace(vectors, basis, product(scaled, patches, basis, vectors));
    }

    private static double[][] start(int n, int vectors) {
        SplittableRandom random = new SplittableRandom(SEED);
        double[][] tests = new double[vectors][n];
        for (int v = 0; v < vectors; v++) {
            for (int i = 0; i < n; i++) {
                tests[v][i] = v == 0 ? 1 : random.nextDouble(-1, 1);
            }
        }
        return tests;
    }

    private static void multiply(SparseMatrix matrix, double[] x, double[] target) {
        for (int row = 0; row < target.length; row++) {
            double sum = 0;
            for (int k = matrix.rowStart()[row]; k < matrix.rowStart()[row + 1]; k++) {
                sum += matrix.values()[k] * x[matrix.columns()[k]];
            }
            target[row] = sum;
        }
    }

    private static void normalize(double[] vector) {
        double norm = LinearModel.maxNorm(vector);
        if (norm > 0) {
            for (int i = 0; i < vector.length; i++) {
                vector[i] /= norm;
            }
        }
    }

    /** Gram and Schmidt, twice. A vector that depends on those before leaves a column of zeros. */
    private static void orthonormalize(double[][] tests, int[] rows, int core, int vectors, double[] basis) {
        for (int v = 0; v < vectors; v++) {
            double before = 0;
            for (int i = 0; i < core; i++) {
                double value = tests[v][rows[i]];
                basis[rows[i] * vectors + v] = value;
                before += value * value;
            }
            for (int u = 0; u < 2 * v; u++) {
                int other = u % v;
                double dot = dot(basis, rows, core, vectors, v, other);
                for (int i = 0; i < core; i++) {
                    basis[rows[i] * vectors + v] -= dot * basis[rows[i] * vectors + other];
                }
            }
            double norm = Math.sqrt(dot(basis, rows, core, vectors, v, v));
            boolean independent = norm > DEPENDENT * Math.sqrt(before);
            for (int i = 0; i < core; i++) {
                basis[rows[i] * vectors + v] = independent ? basis[rows[i] * vectors + v] / norm : 0;
            }
        }
    }

    private static double dot(double[] basis, int[] rows, int core, int vectors, int u, int v) {
        double sum = 0;
        for (int i = 0; i < core; i++) {
            sum += basis[rows[i] * vectors + u] * basis[rows[i] * vectors + v];
        }
        return sum;
    }

    private static double[] product(SparseMatrix scaled, Patches patches, double[] basis, int vectors) {
        int size = patches.rows().length * vectors;
        double[] product = new double[size * size];
        for (int row = 0; row < scaled.size(); row++) {
            int top = patches.owner()[row] * vectors;
            for (int k = scaled.rowStart()[row]; k < scaled.rowStart()[row + 1]; k++) {
                int column = scaled.columns()[k];
                int left = patches.owner()[column] * vectors;
                for (int u = 0; u < vectors; u++) {
                    double factor = basis[row * vectors + u] * scaled.values()[k];
                    for (int v = 0; v < vectors; v++) {
                        product[(top + u) * size + left + v] += factor * basis[column * vectors + v];
                    }
                }
            }
        }
        boolean[] used = new boolean[size];
        for (int i = 0; i < scaled.size(); i++) {
            for (int v = 0; v < vectors; v++) {
                used[patches.owner()[i] * vectors + v] |= basis[i * vectors + v] != 0;
            }
        }
        for (int i = 0; i < size; i++) {
            if (!used[i]) {
                product[i * size + i] = 1;
            }
        }
        return product;
    }

    /** Value of vector {@code v} of an unknown's block at the unknown. */
    double at(int unknown, int v) {
        return basis[unknown * vectors + v];
    }

    /** The coarse matrix PᵀRACP, row by row; the identity where a column of P is zero. */
    double[] product() {
        return Arrays.copyOf(product, product.length);
    }
}
