// SPDX-License-Identifier: Apache-2.0
package dev.volary.solver;

/** How many values blocks and the coarse block of a {@link CoarseModel} send each other. */
public interface CoarseSizes {

    /** Values of the load that a block sends in each round; 0 if it sends none, and then no round waits for it. */
    int load(int block);

    /** Values of the map that a block receives in each round. */
    int map(int block);
}
