// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.linear;

/**
 * Recombines iterates: for a fixed-point map F that is affine, with iterates x_i and steps f_i = F(x_i) − x_i, the next
 * iterate is Σ α_i F(x_i) with Σ α_i = 1 that makes ‖Σ α_i f_i‖₂ smallest (D. G. Anderson, J. ACM 12, 1965). With all iterates
 * kept this is GMRES on x = F(x) (H. F. Walker, P. Ni, SIAM J. Numer. Anal. 49, 2011). The weights follow from the dot products
 * of the steps, which blocks add up from loads: no exchange is needed beyond that of the iterates.
 */
final class IterateBasis {
    /** Iterates that are kept; then the basis begins again. */
    static final int MOST = 128;

    /** Combinations of earlier bases that a new basis begins with. */
    private static final int KEPT = 4;

    /** In place of a length: the loads of a round do not belong to one vector. */
    static final int INCONSISTENT = -1;

    /** Values in a load or map: length, fingerprint, and a dot product or weight for each iterate, from the oldest. */
    static final int STATE = 2 + MOST;

    /** Squared share of a step that is new; below it the step depends on the newer ones. */
    private static final double DEPENDENT = 1e-12;

    private final double[][] products = new double[MOST][MOST];
    private final double[] norms = new double[MOST];
    private final double[][] triangle = new double[MOST][MOST];
    private final int[] chosen = new int[MOST];
    private final double[] solution = new double[MOST];
    private int length;
    private int kept;

    /** Number of steps. */
    int length() {
        return length;
    }

    void clear() {
        length = 0;
        kept = 0;
    }

    /** How many of the first steps are combinations of earlier bases. */
    int kept() {
        return kept;
    }

    /**
     * Begins again with the weighted sum of all steps and the newest of such sums before it, which are steps of an affine map too.
     * So the smallest step never grows, and what restarts lose of GMRES is little (A. H. Baker, E. R. Jessup, T. Manteuffel, SIAM
     * J. Matrix Anal. Appl. 26, 2005).
     *
     * @param weights of all steps
     */
    void restart(double[] weights) {
        int first = firstKept(kept);
        double[] sums = new double[length];
        double square = 0;
        for (int i = 0; i < length; i++) {
            for (int j = 0; j < length; j++) {
                sums[i] += weights[j] * products[i][j];
            }
            square += weights[i] * sums[i];
        }
        int next = kept - first;
        for (int i = 0; i < next; i++) {
            System.arraycopy(products[first + i], first, products[i], 0, next);
        }
        for (int i = 0; i < next; i++) {
            products[i][next] = sums[first + i];
            products[next][i] = sums[first + i];
        }
        products[next][next] = square;
        kept = next + 1;
        length = kept;
    }

    private static int firstKept(int kept) {
        return kept < KEPT ? 0 : kept - KEPT + 1;
    }

    /**
     * Does with the vectors of a basis what {@link #restart} does with their products.
     *
     * @param past vectors by step; arrays change their places
     * @param kept how many of the first ones are combinations of earlier bases
     * @param combination is copied
     * @return how many are now
     */
    static int keep(double[][] past, int kept, double[] combination) {
        int first = firstKept(kept);
        for (int i = 0; i < kept - first; i++) {
            double[] moved = past[first + i];
            past[first + i] = past[i];
            past[i] = moved;
        }
        System.arraycopy(combination, 0, past[kept - first], 0, combination.length);
        return kept - first + 1;
    }

    /** Whether no further step can be added. */
    boolean isFull() {
        return length == MOST;
    }

    /**
     * Adds a step.
     *
     * @param dots its dot products with all steps, from the oldest to itself
     */
    void add(double[] dots) {
        for (int i = 0; i <= length; i++) {
            products[length][i] = dots[i];
            products[i][length] = dots[i];
        }
        length++;
    }

    /**
     * Computes the weights of all iterates, from the oldest: the least squares solution of f + Σ γ_i (f_i − f) = 0, f the newest step.
     * Steps that depend on newer ones have weight 0.
     */
    void weights(double[] target) {
        int newest = length - 1;
        for (int i = 0; i < newest; i++) {
            target[i] = 0;
            norms[i] = Math.sqrt(differences(i, i));
        }
        int rank = factorize();
        substitute(rank);
        double sum = 0;
        for (int i = 0; i < rank; i++) {
            target[chosen[i]] = solution[i] / norms[chosen[i]];
            sum += target[chosen[i]];
        }
        target[newest] = 1 - sum;
    }

    /** The dot product of the differences of two steps to the newest. */
    private double differences(int i, int j) {
        int newest = length - 1;
        return products[i][j] - products[i][newest] - products[j][newest] + products[newest][newest];
    }

    /** Cholesky's factorization of the products of normalized differences, the newest first; returns how many were chosen. */
    private int factorize() {
        int rank = 0;
        for (int step = length - 2; step >= 0; step--) {
            if (!(norms[step] > 0)) {
                continue;
            }
            double pivot = 1;
            for (int i = 0; i < rank; i++) {
                double value = differences(step, chosen[i]) / norms[step] / norms[chosen[i]];
                for (int j = 0; j < i; j++) {
                    value -= triangle[rank][j] * triangle[i][j];
                }
                triangle[rank][i] = value / triangle[i][i];
                pivot -= triangle[rank][i] * triangle[rank][i];
            }
            if (pivot > DEPENDENT) {
                triangle[rank][rank] = Math.sqrt(pivot);
                chosen[rank++] = step;
            }
        }
        return rank;
    }

    private void substitute(int rank) {
        int newest = length - 1;
        for (int i = 0; i < rank; i++) {
            double sum = (products[newest][newest] - products[chosen[i]][newest]) / norms[chosen[i]];
            for (int j = 0; j < i; j++) {
                sum -= triangle[i][j] * solution[j];
            }
            solution[i] = sum / triangle[i][i];
        }
        for (int i = rank - 1; i >= 0; i--) {
            double sum = solution[i];
            for (int j = i + 1; j < rank; j++) {
                sum -= triangle[j][i] * solution[j];
            }
            solution[i] = sum / triangle[i][i];
        }
    }
}
