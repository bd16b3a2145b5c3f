package dev.volary.protocol;

import java.util.List;
import java.util.Optional;

/** What the lead's log keeps (design §5): decisions that must survive the lead. Of each kind only the newest counts. */
public sealed interface LogRecord {

    /** There is a plan. Groups may have changed hands since. */
    record PlanMade(Message.Plan plan) implements LogRecord {}

    /**
     * A snapshot is the job's last: all its parts are durable in the result sink. Whoever leads completes it.
     *
     * @param residual certified absolute residual
     * @param certified whether it is within the tolerance
     * @param parts all of them, by block
     */
    record SnapshotVerdict(long sid, double residual, boolean certified, List<Message.StoredPart> parts)
            implements LogRecord {
        public SnapshotVerdict {
            parts = List.copyOf(parts);
        }
    }

    /**
     * A time step is over for good.
     *
     * @param step the step whose end the snapshot recorded
     * @param sid the snapshot, durable
     */
    record StepCommitted(int step, long sid) implements LogRecord {}

    /**
     * The job ends without an answer.
     *
     * @param sid the last snapshot
     * @param reason why it failed; none if the deadline came
     */
    record JobGivenUp(long sid, Optional<String> reason) implements LogRecord {}
}
