// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.multigrid;

/**
 * Loops over the points of rows, which sweeps and transfers consist of. {@link ScalarRows} and {@link VectorRows} give the same bits.
 */
sealed interface RowKernel permits ScalarRows, VectorRows {
    /** Elements that every array must have after the last one that a loop is asked for; they stay as they are. */
    int SLACK = 4;

    /**
     * Relaxes every other point of a row, the points of one color.
     *
     * @param begin array index of the first point
     * @param shift what to add to the index of a value for that of its right-hand side
     */
    void relax(RowStencil stencil, double[] u, double[] f, int begin, int count, int shift, double omega);

    /**
     * As {@link #relax}, but leaves fixed points alone and lifts the others to the obstacle.
     *
     * @param bound what to add to the index of a value for that of its obstacle, here and below
     */
    void relaxProjected(
            RowStencil stencil,
            double[] u,
            double[] f,
            double[] lower,
            boolean[] fixed,
            int begin,
            int count,
            int shift,
            int bound,
            double omega);

    /** {@code target[at + x] = f[begin + shift + x] − (Au)[begin + x]}. */
    void residual(RowStencil stencil, double[] u, double[] f, int begin, int count, int shift, double[] target, int at);

    /** {@code to[at + x] += weight · from[begin + x]}. */
    void add(double weight, double[] from, int begin, double[] to, int at, int count);

    /** {@code to[at + x] = ½ (from[begin + x] + from[begin + x + 1])}. */
    void means(double[] from, int begin, double[] to, int at, int count);

    /** As {@link #means}, but adds them. */
    void addMeans(double[] from, int begin, double[] to, int at, int count);

    /** {@code to[x] = ¼ (from[odd + x] + from[odd + x + 1]) + ½ from[even + x]}. */
    void restrict(double[] from, int odd, int even, double[] to, int count);

    /** {@code to[x] = firstWeight · from[first + x] + secondWeight · from[second + x]}. */
    void combine(double firstWeight, double secondWeight, double[] from, int first, int second, double[] to, int count);

    /** {@code to[x] = Σ weights[k] · from[rows[k] + x]} for four rows, from the first to the last. */
    void combine(double[] weights, double[] from, int[] rows, double[] to, int count);

    /** Adds {@code increments[from + x]}, but not to points that are fixed or at the obstacle, and lifts the others to it. */
    void addAbove(
            double[] increments,
            int from,
            double[] u,
            double[] lower,
            boolean[] fixed,
            int begin,
            int bound,
            int count);

    /** What {@link #clearActive} found: points that are fixed or at the obstacle, and among these some that are pulled off it. */
    int SOME_ACTIVE = 1;

    int SOME_PULLED = 2;

    /**
     * Sets {@code active[at + x]} to 1 and {@code residual[at + x]} to 0 at points that are fixed or at the obstacle.
     *
     * @return {@link #SOME_ACTIVE} and {@link #SOME_PULLED}, the latter if one of them had a positive residual
     */
    int clearActive(
            double[] u,
            double[] lower,
            boolean[] fixed,
            int begin,
            int bound,
            double[] residual,
            double[] active,
            int at,
            int count);

    /** The largest of {@code before} and {@code |values[x]|}, NaN if one of them is. */
    double largest(double[] values, int first, int last, double before);

    /** As {@link #largest}, of {@code min(−residual[x], diagonal · (u[begin + x] − lower[begin + bound + x]))}. */
    double largestNatural(
            double[] residual,
            double diagonal,
            double[] u,
            double[] lower,
            int begin,
            int bound,
            int first,
            int last,
            double before);
}
