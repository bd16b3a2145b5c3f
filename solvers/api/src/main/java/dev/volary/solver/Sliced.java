// SPDX-License-Identifier: Apache-2.0
package dev.volary.solver;

/** A block whose iteration falls into independent slices, so that several threads can share it. */
public interface Sliced extends Block {

    /** Number of slices, fixed for the life of the block and independent of the number of threads. */
    int slices();

    /** Computes one slice; different slices may run at the same time and must not write what another reads. */
    void slice(int index, Halos newest);

    /** Completes the iteration after all slices are done; returns what {@link #iterate} would. */
    double finish(Halos newest);

    @Override
    default double iterate(Halos newest) {
        for (int i = 0; i < slices(); i++) {
            slice(i, newest);
        }
        return finish(newest);
    }
}
