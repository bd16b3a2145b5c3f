// SPDX-License-Identifier: Apache-2.0
package dev.volary.zarr.guess;

import dev.volary.solver.Region;
import dev.volary.solver.Shape;
import dev.volary.solver.npy.NpyArray;

/** An array of NumPy, row major, of which nothing is on the heap. */
record NpyVector(NpyArray array) implements StoredVector {

    @Override
    public String shapeText() {
        return array.shapeText();
    }

    @Override
    public double[] read(Region region, Shape shape) {
        double[] values = new double[region.size()];
        int[] next = {0};
        region.forEach(shape, index -> values[next[0]++] = array.at(index));
        return values;
    }
}
