// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.multigrid;

import java.util.Arrays;

/**
 * Moves values between two neighboring levels: interpolation P (linear along each axis, zero on the boundary of the domain),
 * full weighting R = V⁻¹ Pᵀ V, injection I. Allocates nothing after its construction.
 */
final class GridTransfer {
    /**
     * Of 64, the sum of the weights of a stencil. Found by experiment for sweeps with ω = 1.45: with 1 and ω = 1.15 rounds take up
     * to twice as long, without fixed points two to six times.
     */
    private static final int FIXING_WEIGHT = 9;

    private final GridLevel fine;
    private final GridLevel coarse;
    private final double[] residual;
    /** One coarse row; element 0 belongs to the ghost before the first point inside, and one after the last ghost is zero. */
    private final double[] line;
    /** One coarse plane of restricted residuals, without ghosts. */
    private final double[] plane;

    GridTransfer(GridLevel fine, GridLevel coarse) {
        this.fine = fine;
        this.coarse = coarse;
        residual = new double[fine.inside.extent(2)];
        line = new double[coarse.inside.extent(2) + 3];
        plane = new double[coarse.inside.extent(1) * coarse.inside.extent(2)];
    }

    /** {@code coarse.u = I fine.u}. */
    void inject() {
        LevelBox box = coarse.withGhosts;
        for (int z = box.lo(0); z <= box.hi(0); z++) {
            for (int y = box.lo(1); y <= box.hi(1); y++) {
                int to = coarse.index(z, y, box.lo(2));
                int from = fineIndex(z, y, box.lo(2));
                for (int x = 0; x < box.extent(2); x++) {
                    coarse.u[to + x] = fine.u[from + 2 * x];
                }
            }
        }
    }

    /** {@code coarse.u = I fine.u + coarse.c}. */
    void injectCorrected() {
        inject();
        LevelBox box = coarse.withGhosts;
        for (int z = box.lo(0); z <= box.hi(0); z++) {
            for (int y = box.lo(1); y <= box.hi(1); y++) {
                int to = coarse.index(z, y, box.lo(2));
                for (int x = 0; x < box.extent(2); x++) {
                    coarse.u[to + x] += coarse.c[to + x];
                }
            }
        }
    }

    /** {@code coarse.c = values − I fine.u}, for values laid out as those of the coarse level. */
    void takeCorrection(double[] values) {
        LevelBox box = coarse.withGhosts;
        for (int z = box.lo(0); z <= box.hi(0); z++) {
            for (int y = box.lo(1); y <= box.hi(1); y++) {
                int to = coarse.index(z, y, box.lo(2));
                int from = fineIndex(z, y, box.lo(2));
                for (int x = 0; x < box.extent(2); x++) {
                    coarse.c[to + x] = values[to + x] - fine.u[from + 2 * x];
                }
            }
        }
    }

    /** The array index of a coarse point on the fine level. */
    private int fineIndex(int z, int y, int x) {
        return fine.index(fine.isSolid() ? 2 * z : z, 2 * y, 2 * x);
    }

    /** {@code fine.u += P correction}, ghosts included, for corrections laid out as the values of the coarse level. */
    void prolong(double[] correction) {
        LevelBox box = fine.withGhosts;
        for (int z = box.lo(0); z <= box.hi(0); z++) {
            for (int y = box.lo(1); y <= box.hi(1); y++) {
                interpolateLine(correction, z, y);
                addLine(z, y, box.lo(2), box.hi(2));
            }
        }
    }

    /**
     * As {@link #prolong}, but leaves points alone that are fixed or in contact with the obstacle, and lifts the others to it.
     */
    void prolongAbove(double[] correction) {
        LevelBox box = fine.withGhosts;
        for (int z = box.lo(0); z <= box.hi(0); z++) {
            for (int y = box.lo(1); y <= box.hi(1); y++) {
                interpolateLine(correction, z, y);
                int begin = fine.index(z, y, 0);
                for (int x = box.lo(2); x <= box.hi(2); x++) {
                    int i = begin + x;
                    if (!fine.isActive(i)) {
                        fine.u[i] = Math.max(fine.lower[i], fine.u[i] + interpolated(x));
                    }
                }
            }
        }
    }

    /** {@link #prolong}, or {@link #prolongAbove} if there is an obstacle. */
    void correct(double[] correction) {
        if (fine.isConstrained()) {
            prolongAbove(correction);
        } else {
            prolong(correction);
        }
    }

    /** Interpolates a coarse row at a fine plane and row. */
    private void interpolateLine(double[] correction, int z, int y) {
        Arrays.fill(line, 0);
        addRows(correction, fine.planes.below[z], fine.planes.fromBelow[z], y);
        if (fine.planes.fromAbove[z] != 0) {
            addRows(correction, fine.planes.below[z] + 1, fine.planes.fromAbove[z], y);
        }
    }

    private void addRows(double[] correction, int coarsePlane, double weight, int y) {
        int below = fine.rows.below[y];
        addRow(correction, coarse.index(coarsePlane, below, coarse.inside.lo(2) - 1), weight * fine.rows.fromBelow[y]);
        if (fine.rows.fromAbove[y] != 0) {
            addRow(
                    correction,
                    coarse.index(coarsePlane, below + 1, coarse.inside.lo(2) - 1),
                    weight * fine.rows.fromAbove[y]);
        }
    }

    private void addRow(double[] correction, int from, double weight) {
        double[] target = line;
        for (int x = 0; x < coarse.inside.extent(2) + 2; x++) {
            target[x] += weight * correction[from + x];
        }
    }

    private void addLine(int z, int y, int first, int last) {
        int base = coarse.inside.lo(2) - 1;
        // Points beyond twice the number of coarse points lie in the last coarse cell, which may have another length.
        int regular = Math.min(last, 2 * coarse.columns.n);
        int x = first;
        if ((x & 1) == 1 && x <= regular) {
            fine.u[fine.index(z, y, x)] += 0.5 * (line[x / 2 - base] + line[x / 2 + 1 - base]);
            x++;
        }
        int pairs = Math.max(0, (regular - x + 1) / 2);
        addPairs(fine.u, fine.index(z, y, x), line, x / 2 - base, pairs);
        for (x += 2 * pairs; x <= last; x++) {
            fine.u[fine.index(z, y, x)] += interpolated(x);
        }
    }

    private double interpolated(int x) {
        int below = fine.columns.below[x] - coarse.inside.lo(2) + 1;
        return fine.columns.fromBelow[x] * line[below] + fine.columns.fromAbove[x] * line[below + 1];
    }

    private static void addPairs(double[] u, int begin, double[] line, int at, int pairs) {
        for (int k = 0; k < pairs; k++) {
            double here = line[at + k];
            u[begin + 2 * k] += here;
            u[begin + 2 * k + 1] += 0.5 * (here + line[at + k + 1]);
        }
    }

    /** {@code coarse.f = R(fine.f − A fine.u)}, where the residual counts as zero at points in contact with an obstacle. */
    void restrictResidual() {
        restrictResidual(0, -1, 0, -1, 0, -1);
    }

    /**
     * As {@link #restrictResidual()}.
     *
     * @return the maximum norm of the fine residual within {@code measured}; with an obstacle φ that of the natural residual
     *     {@code min(Au − f, diagonal · (u − φ))}
     */
    double restrictResidual(LevelBox measured) {
        return restrictResidual(
                measured.lo(0), measured.hi(0), measured.lo(1), measured.hi(1), measured.lo(2), measured.hi(2));
    }

    private double restrictResidual(int planeLo, int planeHi, int rowLo, int rowHi, int columnLo, int columnHi) {
        double max = 0;
        clearSource();
        for (int z = fine.inside.lo(0); z <= fine.inside.hi(0); z++) {
            Arrays.fill(plane, 0);
            for (int y = fine.inside.lo(1); y <= fine.inside.hi(1); y++) {
                fine.residualRow(z, y, residual);
                if (z >= planeLo && z <= planeHi && y >= rowLo && y <= rowHi) {
                    max = fine.isConstrained()
                            ? largestNatural(z, y, columnLo, columnHi, max)
                            : largest(columnLo - fine.inside.lo(2), columnHi - fine.inside.lo(2), max);
                }
                if (fine.isConstrained()) {
                    clearActive(z, y);
                }
                restrictRow();
                addToPlane(fine.rows.below[y], fine.rows.toBelow[y]);
                addToPlane(fine.rows.below[y] + 1, fine.rows.toAbove[y]);
            }
            addToSource(fine.planes.below[z], fine.planes.toBelow[z]);
            addToSource(fine.planes.below[z] + 1, fine.planes.toAbove[z]);
        }
        return max;
    }

    private double largest(int first, int last, double before) {
        double max = before;
        for (int x = first; x <= last; x++) {
            double size = Math.abs(residual[x]);
            // Rarely true, so cheaper than a maximum; true for NaN too, which then stays.
            if (!(size <= max)) {
                max = Math.max(max, size);
            }
        }
        return max;
    }

    private double largestNatural(int z, int y, int first, int last, double before) {
        double max = before;
        for (int x = first; x <= last; x++) {
            int i = fine.index(z, y, x);
            double contact = fine.diagonal(z, y, x) * (fine.u[i] - fine.lower[i]);
            max = Math.max(max, Math.abs(Math.min(-residual[x - fine.inside.lo(2)], contact)));
        }
        return max;
    }

    private void clearActive(int z, int y) {
        int begin = fine.index(z, y, fine.inside.lo(2));
        for (int x = 0; x < fine.inside.extent(2); x++) {
            if (fine.isActive(begin + x)) {
                residual[x] = 0;
            }
        }
    }

    /**
     * Fixes the coarse points of whose interpolation stencil fixed points and points in contact carry at least 9/64. So no
     * correction is computed where it could not be added (R. Kornhuber's truncation, Numerische Mathematik 69, 1994).
     */
    void restrictFixed() {
        LevelBox box = coarse.inside;
        for (int z = box.lo(0); z <= box.hi(0); z++) {
            for (int y = box.lo(1); y <= box.hi(1); y++) {
                for (int x = box.lo(2); x <= box.hi(2); x++) {
                    coarse.fixed[coarse.index(z, y, x)] = activeWeight(z, y, x) >= FIXING_WEIGHT;
                }
            }
        }
    }

    /** The weight of active points round a coarse point, of 64. */
    private int activeWeight(int z, int y, int x) {
        LevelBox inside = fine.inside;
        boolean solid = fine.isSolid();
        int middle = solid ? 2 * z : z;
        int weight = 0;
        for (int i = Math.max(middle - 1, inside.lo(0)); i <= Math.min(middle + 1, inside.hi(0)); i++) {
            for (int j = Math.max(2 * y - 1, inside.lo(1)); j <= Math.min(2 * y + 1, inside.hi(1)); j++) {
                for (int k = Math.max(2 * x - 1, inside.lo(2)); k <= Math.min(2 * x + 1, inside.hi(2)); k++) {
                    if (fine.isActive(fine.index(i, j, k))) {
                        weight += (solid ? 2 - Math.abs(i - middle) : 4)
                                * (2 - Math.abs(j - 2 * y))
                                * (2 - Math.abs(k - 2 * x));
                    }
                }
            }
        }
        return weight;
    }

    private void clearSource() {
        LevelBox box = coarse.inside;
        for (int z = box.lo(0); z <= box.hi(0); z++) {
            for (int y = box.lo(1); y <= box.hi(1); y++) {
                int begin = coarse.index(z, y, box.lo(2));
                Arrays.fill(coarse.f, begin, begin + box.extent(2), 0);
            }
        }
    }

    /** Restricts the residuals of a row along it, into the line. */
    private void restrictRow() {
        int first = coarse.inside.lo(2);
        int last = coarse.inside.hi(2);
        int regular = Math.min(last, coarse.columns.n - 1);
        int at = 2 * first - fine.inside.lo(2);
        double[] from = residual;
        double[] to = line;
        for (int k = 0; k <= regular - first; k++) {
            int x = at + 2 * k;
            to[k + 1] = 0.25 * (from[x - 1] + from[x + 1]) + 0.5 * from[x];
        }
        if (last > regular && last >= first) {
            AxisLevel columns = fine.columns;
            double sum = columns.toAbove[2 * last - 1] * from[2 * last - 1 - fine.inside.lo(2)];
            for (int x = 2 * last; x <= columns.n; x++) {
                sum += columns.toBelow[x] * from[x - fine.inside.lo(2)];
            }
            to[last - first + 1] = sum;
        }
    }

    private void addToPlane(int row, double weight) {
        if (weight == 0 || row < coarse.inside.lo(1) || row > coarse.inside.hi(1)) {
            return;
        }
        int length = coarse.inside.extent(2);
        int begin = (row - coarse.inside.lo(1)) * length;
        double[] to = plane;
        double[] from = line;
        for (int x = 0; x < length; x++) {
            to[begin + x] += weight * from[x + 1];
        }
    }

    private void addToSource(int z, double weight) {
        if (weight == 0 || z < coarse.inside.lo(0) || z > coarse.inside.hi(0)) {
            return;
        }
        int length = coarse.inside.extent(2);
        double[] to = coarse.f;
        double[] from = plane;
        for (int y = coarse.inside.lo(1); y <= coarse.inside.hi(1); y++) {
            int begin = coarse.index(z, y, coarse.inside.lo(2));
            int row = (y - coarse.inside.lo(1)) * length;
            for (int x = 0; x < length; x++) {
                to[begin + x] += weight * from[row + x];
            }
        }
    }

    /**
     * The start of the coarse problem of the full approximation scheme, {@code coarse.u = I fine.u} and
     * {@code coarse.f = R(fine.f − A fine.u) + A coarse.u}, with the coarse points that an obstacle fixes.
     *
     * @param measured where to measure, see {@link #restrictResidual(LevelBox)}
     */
    double restrict(LevelBox measured) {
        double max = restrictResidual(measured);
        restrictRest();
        return max;
    }

    /** As {@link #restrict(LevelBox)}, without measuring. */
    void restrict() {
        restrictResidual();
        restrictRest();
    }

    private void restrictRest() {
        if (fine.isConstrained()) {
            restrictFixed();
        }
        inject();
        coarse.addOperator(line);
    }
}
