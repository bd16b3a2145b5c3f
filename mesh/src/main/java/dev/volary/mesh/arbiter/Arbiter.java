// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.arbiter;

import dev.volary.protocol.machine.LeaderElectionRecord;
import java.io.IOException;

/**
 * Keeps one record of a job: who leads, in which term, with which log members. The record changes by compare-and-set alone,
 * and its term only grows.
 */
public interface Arbiter {

    /**
     * The record as it is now.
     *
     * @throws IOException if the arbiter cannot be asked
     */
    LeaderElectionRecord read() throws IOException;

    /**
     * Whether the job still has its record. It has none once it is deleted.
     *
     * @throws IOException if the arbiter cannot be asked
     */
    boolean exists() throws IOException;

    /**
     * Replaces the record if it still is {@code expected} and {@code next} has a higher term.
     *
     * @return the record as it is now: {@code next} if the caller won
     * @throws IOException if the arbiter cannot be asked; whether the record was replaced is then unknown
     */
    LeaderElectionRecord compareAndSet(LeaderElectionRecord expected, LeaderElectionRecord next) throws IOException;
}
