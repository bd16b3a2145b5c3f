// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.spawner;

import dev.volary.protocol.directory.BlockDirectory;
import dev.volary.protocol.machine.SpawnerTurn;
import dev.volary.protocol.message.BlockMessage;
import dev.volary.protocol.model.BlockAssignment;
import dev.volary.protocol.model.GroupTerm;
import dev.volary.protocol.model.Incarnation;
import dev.volary.protocol.model.WorkerId;
import java.time.Duration;
import java.util.Optional;

/**
 * Reports a failure of the group's blocks that must end the job to the leader, and repeats it until the job is over. Only the
 * first failure counts.
 */
final class FailureReporter {
    private final BlockDirectory directory;
    private final long retry;
    private Optional<BlockMessage.BlockFailed> failure = Optional.empty();
    private long repeatAt = Long.MAX_VALUE;

    FailureReporter(BlockDirectory directory, Duration retry) {
        this.directory = directory;
        this.retry = retry.toNanos();
    }

    /**
     * A block cannot be computed any more.
     *
     * @param term of the group, for a block that was never assigned
     */
    void fail(int block, GroupTerm term, String reason, long now) {
        if (failure.isEmpty()) {
            Incarnation incarnation =
                    directory.find(block).map(BlockAssignment::incarnation).orElse(new Incarnation(term, 1));
            failure = Optional.of(new BlockMessage.BlockFailed(block, incarnation, reason, true));
            repeatAt = now;
        }
    }

    /** Whether the job must end. */
    boolean hasFailed() {
        return failure.isPresent();
    }

    /** Repeats the report. */
    void tick(Optional<WorkerId> leader, SpawnerTurn turn) {
        if (failure.isPresent() && leader.isPresent()) {
            if (turn.now() >= repeatAt) {
                repeatAt = turn.now() + retry;
                turn.send(leader.get(), failure.get());
            }
            turn.wakeAt(repeatAt);
        }
    }
}
