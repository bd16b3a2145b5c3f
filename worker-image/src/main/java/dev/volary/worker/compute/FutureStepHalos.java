// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.compute;

import java.util.Arrays;

/**
 * Halos of a step that the block has not reached: neighbors that committed first send them, and they wait here for the
 * block's own commit (docs/explanation/time-steps-and-rollback.md, "halos of other steps"). One slot for each edge, the newest
 * wins.
 */
final class FutureStepHalos {
    private final double[][] values;
    private final int[] steps;
    private final long[] arrived;

    FutureStepHalos(int edges) {
        values = new double[edges][];
        steps = new int[edges];
        arrived = new long[edges];
    }

    /** Copies values of edge {@code k}. */
    void keep(int k, int step, double[] newest, long arrivedNanos) {
        double[] slot = values[k];
        if (slot == null || slot.length != newest.length) {
            slot = new double[newest.length];
            values[k] = slot;
        }
        System.arraycopy(newest, 0, slot, 0, newest.length);
        steps[k] = step;
        arrived[k] = arrivedNanos;
    }

    /** Puts what waited for this step into use. */
    void release(int step, LinkHalos halos) {
        for (int k = 0; k < steps.length; k++) {
            if (steps[k] == step) {
                halos.copied(k, values[k], arrived[k], halos.takenAt(k));
            }
        }
        Arrays.fill(steps, 0);
    }
}
