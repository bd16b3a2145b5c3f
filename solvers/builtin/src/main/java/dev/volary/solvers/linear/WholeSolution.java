// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.linear;

import dev.volary.solvers.linear.matrix.SparseMatrix;
import dev.volary.solvers.linear.partition.Graph;
import dev.volary.solvers.linear.partition.NestedDissection;
import java.util.Arrays;
import java.util.Optional;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * The factors of a whole matrix, where they cost less than the setup of the rounds: they tell whether the matrix is singular, and how
 * large its solution is.
 */
final class WholeSolution {
    /** Multiplications, about a second; a five-point scheme on some 25 000 points takes as many. */
    private static final double MOST_WORK = 1e8;

    /** A solution of this size for a right-hand side of size 1: no digit of it is right. */
    private static final double SINGULAR = 1e15;

    private static final long SEED = 5;

    private final Equilibration scaling;
    private final @Nullable SparseLu factors;
    private final double[] nearlyNull;
    private final double growth;

    private WholeSolution(Equilibration scaling, @Nullable SparseLu factors) {
        this.scaling = scaling;
        this.factors = factors;
        nearlyNull = new SplittableRandom(SEED)
                .doubles(scaling.columns().length, -1, 1)
                .toArray();
        growth = factors == null ? Double.POSITIVE_INFINITY : Math.max(grow(factors), grow(factors));
    }

    /** One inverse iteration; returns by how much it grows the vector. */
    private double grow(SparseLu lu) {
        lu.solve(nearlyNull);
        double norm = LinearModel.maxNorm(nearlyNull);
        if (!Double.isFinite(Arrays.stream(nearlyNull).sum())) {
            Arrays.fill(nearlyNull, 0);
            return Double.POSITIVE_INFINITY;
        }
        for (int i = 0; i < nearlyNull.length; i++) {
            nearlyNull[i] /= norm;
        }
        return norm;
    }

    /**
     * Factorizes a matrix; empty if that would take too long.
     *
     * @param matrix without a row or column of zeros
     */
    static Optional<WholeSolution> of(SparseMatrix matrix) {
        Graph graph = Graph.of(matrix);
        int[] order = NestedDissection.order(graph);
        if (work(graph, order) > MOST_WORK) {
            return Optional.empty();
        }
        Equilibration scaling = Equilibration.of(matrix);
        return Optional.of(new WholeSolution(
                scaling, SparseLu.of(scaling.apply(matrix), order).orElse(null)));
    }

    /**
     * The multiplications of a factorization without pivoting, from the lengths of the columns of its factor (J. W. H. Liu, SIAM J.
     * Matrix Anal. Appl. 11, 1990); the count ends above {@link #MOST_WORK}.
     */
    static double work(Graph graph, int[] order) {
        int n = order.length;
        int[] position = new int[n];
        for (int k = 0; k < n; k++) {
            position[order[k]] = k;
        }
        int[] parent = new int[n];
        int[] mark = new int[n];
        long[] length = new long[n];
        Arrays.fill(parent, -1);
        Arrays.fill(mark, -1);
        double work = 0;
        for (int i = 0; i < n && work <= MOST_WORK; i++) {
            mark[i] = i;
            for (int e = graph.start()[order[i]]; e < graph.start()[order[i] + 1]; e++) {
                int j = position[graph.neighbors()[e]];
                while (j < i && mark[j] != i) {
                    work += 2 * length[j]++ + 1;
                    mark[j] = i;
                    if (parent[j] < 0) {
                        parent[j] = i;
                    }
                    j = parent[j];
                }
            }
        }
        return work;
    }

    /** Whether the matrix is singular to working precision. */
    boolean isSingular() {
        return !(growth <= SINGULAR);
    }

    /**
     * For a singular matrix, the unknown that is largest in a vector that the matrix takes to zero; empty if no such vector is known.
     */
    Optional<Integer> freeUnknown() {
        int largest = -1;
        double most = 0;
        for (int i = 0; i < nearlyNull.length; i++) {
            double value = Math.abs(nearlyNull[i] * scaling.columns()[i]);
            if (factors != null && value > most) {
                most = value;
                largest = i;
            }
        }
        return largest < 0 ? Optional.empty() : Optional.of(largest);
    }

    /** The solution for a right-hand side; empty for a singular matrix. */
    Optional<double[]> of(double[] right) {
        if (factors == null || isSingular()) {
            return Optional.empty();
        }
        double[] x = new double[right.length];
        for (int i = 0; i < x.length; i++) {
            x[i] = right[i] * scaling.rows()[i];
        }
        factors.solve(x);
        for (int i = 0; i < x.length; i++) {
            x[i] *= scaling.columns()[i];
        }
        return Optional.of(x);
    }
}
