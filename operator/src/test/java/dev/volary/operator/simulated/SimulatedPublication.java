// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.simulated;

import java.time.Duration;

/**
 * The leader writes the result of a job to storage outside of the workers. An attempt that fails is followed by another one, until
 * the leader gives up: then the result stays with the spawners.
 */
final class SimulatedPublication {
    /** As long as a leader tries it. */
    private static final Duration PATIENCE = Duration.ofMinutes(15);

    private final Duration writing;
    private Duration passed = Duration.ZERO;
    private Duration written = Duration.ZERO;
    private String failure = "";
    private boolean isStored;
    private boolean isGivenUp;

    /** @param writing time that it takes; zero if the result is to stay with the spawners */
    SimulatedPublication(Duration writing) {
        this.writing = writing;
        this.isGivenUp = writing.isZero();
    }

    /** @param isStorageUp whether the storage can be written */
    void pass(Duration tick, boolean isStorageUp) {
        passed = passed.plus(tick);
        if (isStorageUp) {
            written = written.plus(tick);
            isStored = written.compareTo(writing) >= 0;
        } else {
            written = Duration.ZERO;
            failure = "the storage does not answer";
            isGivenUp = passed.compareTo(PATIENCE) >= 0;
        }
    }

    boolean isOver() {
        return isStored || isGivenUp;
    }

    boolean isStored() {
        return isStored;
    }

    boolean isGivenUp() {
        return isGivenUp;
    }

    /** Why the newest attempt failed; empty if none failed, or the result is stored. */
    String failure() {
        return isStored ? "" : failure;
    }
}
