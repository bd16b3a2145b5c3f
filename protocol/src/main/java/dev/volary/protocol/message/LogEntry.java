// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.message;

import java.util.List;
import java.util.Optional;

/**
 * What the leader's log keeps (docs/explanation/replacement-and-fencing.md, "the replicated log"): decisions that must survive
 * the leader. Of each kind only the newest counts.
 */
public sealed interface LogEntry {

    /** There is a plan. Groups may have changed hands since. */
    record PlanMade(TakeoverMessage.Plan plan) implements LogEntry {}

    /**
     * A snapshot is the job's last: all its parts are durable in the result sink. The leader completes it, or withdraws it with a
     * {@link VerdictWithdrawn} if its parts are lost.
     *
     * @param step it belongs to; 0 for a stationary problem
     * @param sid the snapshot
     * @param residual certified absolute residual
     * @param certified whether it is within the tolerance
     * @param iterations of a block on average, when it was recorded
     * @param parts all of them, by block
     */
    record SnapshotVerdict(
            int step,
            long sid,
            double residual,
            boolean certified,
            long iterations,
            List<SnapshotMessage.StoredPart> parts)
            implements LogEntry {
        public SnapshotVerdict {
            parts = List.copyOf(parts);
        }
    }

    /** All parts of the best vector above the tolerance are durable: a job whose deadline comes ends with it. */
    record AnswerKept(KeptAnswer answer) implements LogEntry {}

    /**
     * How long the job has been led, by this leader and those before: its deadline counts from the first one.
     *
     * @param nanos at least
     */
    record TimeUsed(long nanos) implements LogEntry {}

    /**
     * Parts of the vector of a {@link SnapshotVerdict} were lost before the result was complete: no verdict that was logged before
     * counts.
     */
    record VerdictWithdrawn(long sid) implements LogEntry {}

    /** The result of this snapshot is complete, and copied where the job asks for it: the end of the job may be announced. */
    record ResultComplete(long sid) implements LogEntry {}

    /** A time step is over for good: all parts of its vector are durable. */
    record StepCommitted(CommittedStep record) implements LogEntry {}

    /**
     * The job ends without a result.
     *
     * @param sid the last snapshot
     * @param reason why it failed; none if the deadline came
     */
    record JobGivenUp(long sid, Optional<String> reason) implements LogEntry {}
}
