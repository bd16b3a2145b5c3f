// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.rollback;

import dev.volary.protocol.convergence.LeaderTokens;
import dev.volary.protocol.machine.SpawnerTurn;
import dev.volary.protocol.message.DetectionMessage;
import dev.volary.protocol.message.RollbackMessage;
import dev.volary.protocol.message.TakeoverMessage;
import dev.volary.protocol.snapshot.LeaderSnapshots;
import java.time.Duration;

/** What the leader of a synchronous job does beside all others: checkpoints, rollbacks, and the token that asks for snapshots. */
public final class SynchronousLeader {
    private final LeaderSnapshots snapshots;
    private final Duration retry;
    private final LeaderRollback rollback;
    private LeaderTokens tokens;

    public SynchronousLeader(LeaderSnapshots snapshots, Duration retry, TakeoverMessage.Plan plan) {
        this.snapshots = snapshots;
        this.retry = retry;
        this.rollback = new LeaderRollback(retry, plan);
        this.tokens = new LeaderTokens(retry, plan, rollback.epoch());
    }

    /** Groups have changed hands: all blocks roll back. */
    public void regrouped(TakeoverMessage.Plan plan, SpawnerTurn turn) {
        rollback.regrouped(plan, turn);
        tokens = new LeaderTokens(retry, plan, rollback.epoch());
        snapshots.rolledBack(turn);
    }

    public void received(RollbackMessage.GroupReply message, SpawnerTurn turn) {
        switch (message) {
            case RollbackMessage.RollbackRequest due -> {
                if (rollback.requested(due, turn)) {
                    tokens.rolledBack(rollback.epoch());
                    snapshots.rolledBack(turn);
                }
            }
            case RollbackMessage.GroupGenerations held -> rollback.found(held, turn);
            case RollbackMessage.CheckpointDue due -> rollback.checkpointDue(due, turn);
            case RollbackMessage.GroupCheckpoint answer -> rollback.checkpointed(answer);
        }
    }

    public void held(DetectionMessage.TestPassed held, SpawnerTurn turn) {
        tokens.held(held, turn);
    }

    public void answered(DetectionMessage.GroupTestAnswer answer, SpawnerTurn turn) {
        if (tokens.answered(answer, turn)) {
            snapshots.converged();
        }
    }

    public void tick(SpawnerTurn turn) {
        if (!snapshots.isTrying()) {
            tokens.refused(turn);
        }
        rollback.tick(turn);
        tokens.tick(turn);
    }

    public int entries() {
        return rollback.entries() + tokens.entries();
    }
}
