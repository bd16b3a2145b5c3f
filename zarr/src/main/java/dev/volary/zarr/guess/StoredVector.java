// SPDX-License-Identifier: Apache-2.0
package dev.volary.zarr.guess;

import dev.volary.solver.Region;
import dev.volary.solver.Shape;
import java.io.IOException;

/** A vector on the disk. */
sealed interface StoredVector permits NpyVector, ZarrVector {

    /** Its shape, as {@link Shape#toString} writes it. */
    String shapeText();

    /**
     * The values of a region, in its order; NaN where none is stored.
     *
     * @param shape of the vector, the same as its own
     */
    double[] read(Region region, Shape shape) throws IOException;
}
