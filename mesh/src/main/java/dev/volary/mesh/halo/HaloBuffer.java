// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.halo;

import dev.volary.protocol.model.Incarnation;
import org.jspecify.annotations.Nullable;

/** A buffer of a slot: values and what they are. Handed from thread to thread by the slot. */
final class HaloBuffer {
    final double[] values;

    @Nullable Incarnation incarnation;

    int step;
    long iteration = -1;
    int coarseVersion;
    long nanos;

    HaloBuffer(int length) {
        values = new double[length];
    }

    void label(Incarnation newIncarnation, int newStep, long newIteration, int newCoarse, long newNanos) {
        incarnation = newIncarnation;
        step = newStep;
        iteration = newIteration;
        coarseVersion = newCoarse;
        nanos = newNanos;
    }

    boolean holds(int otherStep, long otherIteration) {
        return incarnation != null && step == otherStep && iteration == otherIteration;
    }
}
