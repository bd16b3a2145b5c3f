// SPDX-License-Identifier: Apache-2.0
package dev.volary.simulator.job;

import dev.volary.protocol.model.RecordedBlock;

/** Recorded values on their way. */
final class RecordedValues {
    private final int step;
    private final long sid;
    private final RecordedBlock source;
    private final int to;
    private final double[] values;

    RecordedValues(int step, long sid, RecordedBlock source, int to, double[] values) {
        this.step = step;
        this.sid = sid;
        this.source = source;
        this.to = to;
        this.values = values;
    }

    int step() {
        return step;
    }

    long sid() {
        return sid;
    }

    RecordedBlock source() {
        return source;
    }

    int to() {
        return to;
    }

    double[] values() {
        return values;
    }
}
