// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.message;

import java.util.Optional;

/** Time steps (docs/explanation/time-steps-and-rollback.md, "time steps"). */
public sealed interface StepMessage extends ToSpawner {

    /**
     * The result of a step is decided: commit these values and begin the next step. Leader to spawners to daemons, each with
     * the parts that its blocks and their sources have; repeated while one of the blocks is reported in an earlier step.
     */
    record StepCommit(CommittedStep record) implements StepMessage, ToDaemon {}

    /**
     * What a leader ordered to commit, and what was stored for a snapshot whose end is not known: a daemon to its new spawner,
     * a spawner to its new leader, in case that the log is lost with all of its members.
     *
     * @param newest the newest commit, with the parts that were named
     * @param stored parts that are in the sink, of one snapshot; its residual is not known
     */
    record KnownSteps(Optional<CommittedStep> newest, Optional<CommittedStep> stored) implements StepMessage {}
}
