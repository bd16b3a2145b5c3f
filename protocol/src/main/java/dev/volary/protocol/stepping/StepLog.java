// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.stepping;

import dev.volary.protocol.machine.SpawnerTurn;
import dev.volary.protocol.message.CommittedStep;
import java.util.Optional;

/** Where the leader logs that a step is committed, before any worker acts on it: what must survive the leader. */
public interface StepLog {

    /** The newest record, whether it {@link #counts} already or not. */
    Optional<CommittedStep> newest();

    /** Writes a record; it is newer than all that are there, or the newest of an earlier leader. */
    void write(CommittedStep record, SpawnerTurn turn);

    /** Whether every member of the log has this record: no later leader can miss it. */
    boolean counts(CommittedStep record);
}
