// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.model;

/**
 * Identity of one worker process, drawn when it starts: a restarted container is a new worker.
 *
 * @param value positive; the higher of two wins a tie
 */
public record WorkerId(long value) implements Comparable<WorkerId> {

    public WorkerId {
        if (value <= 0) {
            throw new IllegalArgumentException("worker id is " + value + ", must be positive");
        }
    }

    @Override
    public int compareTo(WorkerId other) {
        return Long.compare(value, other.value);
    }

    @Override
    public String toString() {
        return Long.toHexString(value);
    }
}
