// SPDX-License-Identifier: Apache-2.0
package dev.volary.simulator.job;

import dev.volary.protocol.model.BlockVersion;
import dev.volary.protocol.model.WorkerId;

/** A halo on its way. */
final class Halo {
    private final int from;
    private final int to;
    private final BlockVersion key;
    private final double[] values;
    private final WorkerId sender;
    private final boolean stale;
    private final int phase;

    Halo(int from, int to, BlockVersion key, double[] values, WorkerId sender, boolean stale, int phase) {
        this.phase = phase;
        this.from = from;
        this.to = to;
        this.key = key;
        this.values = values;
        this.sender = sender;
        this.stale = stale;
    }

    int from() {
        return from;
    }

    int phase() {
        return phase;
    }

    int to() {
        return to;
    }

    BlockVersion key() {
        return key;
    }

    double[] values() {
        return values;
    }

    WorkerId sender() {
        return sender;
    }

    boolean stale() {
        return stale;
    }
}
