// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.kernel;

/**
 * A step of projected Richardson, {@code u ← max(φ, keep·u + step·(Σ neighbors + source))}.
 *
 * @param keep {@code 1 − 6γ}
 * @param step {@code γ}
 * @param source {@code h²f}
 * @param obstacle φ: laid out as the grid, or one row if {@code uniform}
 * @param uniform whether the same row of {@code obstacle}, which must then be constant and as long as the longest row, serves
 *     all rows; it stays in cache
 */
@SuppressWarnings("ArrayRecordComponent") // read-only operands of a kernel; they are never compared
public record Projection(double keep, double step, double source, double[] obstacle, boolean uniform) {

    /** Where the obstacle of a row of a patch begins. */
    public int row(SweepRegion patch, int plane, int row) {
        return uniform ? 0 : patch.row(plane, row);
    }
}
