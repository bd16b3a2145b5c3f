// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.kernel;

import dev.volary.solver.Residual;

/**
 * What a problem does on one block's grid. Immutable, so that several threads may use it on different arrays or patches.
 * Arrays are laid out by the block's {@link GhostGrid}.
 */
public interface Relaxation {

    /** Writes the Dirichlet values into those ghosts of {@code grid} that lie on the boundary of the domain. */
    void setBoundary(double[] grid);

    /**
     * One sweep of a patch.
     *
     * @return {@code max |to − from|} over the patch if {@code measure} is set, else 0
     */
    double sweep(double[] from, double[] to, SweepRegion patch, boolean measure);

    /** The residual's maximum norm that belongs to the largest change in one sweep. */
    double hint(double change);

    /** The residual of {@code grid} over a patch; the points and ghosts beside it are filled. */
    default Residual residual(double[] grid, SweepRegion patch) {
        Residual sum = Residual.ZERO;
        for (int plane = 0; plane < patch.planes(); plane++) {
            for (int row = 0; row < patch.rows(); row++) {
                sum = sum.combine(residualOfRow(grid, patch, plane, row));
            }
        }
        return sum;
    }

    /** As {@link #residual}, of one row of a patch. A method of its own, because it is compiled sooner than a loop within loops. */
    Residual residualOfRow(double[] grid, SweepRegion patch, int plane, int row);
}
