// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.spawner;

import dev.volary.protocol.DetectionMessage;
import dev.volary.protocol.RollbackMessage;
import dev.volary.protocol.SpawnerTurn;
import dev.volary.protocol.TakeoverMessage;
import dev.volary.protocol.detection.LeaderTokens;
import dev.volary.protocol.rollback.LeaderRollback;
import dev.volary.protocol.rollback.RollbackRules;
import dev.volary.protocol.snapshot.LeaderSnapshots;
import java.time.Duration;

/** What the lead of a synchronous job does beside all others: checkpoints, rollbacks, and the token that asks for snapshots. */
final class LockStepLead {
    private final LeaderSnapshots root;
    private final Duration retry;
    private final LeaderRollback inStep;
    private LeaderTokens tokens;

    LockStepLead(LeaderSnapshots root, RollbackRules rules, Duration retry, TakeoverMessage.Plan plan) {
        this.root = root;
        this.retry = retry;
        this.inStep = new LeaderRollback(rules, retry, plan);
        this.tokens = new LeaderTokens(retry, plan, inStep.epoch());
    }

    /** Groups have changed hands: all blocks go back. */
    void regrouped(TakeoverMessage.Plan plan, SpawnerTurn turn) {
        inStep.regrouped(plan, turn);
        tokens = new LeaderTokens(retry, plan, inStep.epoch());
        root.rolledBack(turn);
    }

    void received(RollbackMessage.GroupReply message, SpawnerTurn turn) {
        switch (message) {
            case RollbackMessage.RollbackRequest due -> {
                if (inStep.due(due, turn)) {
                    tokens.rolledBack(inStep.epoch());
                    root.rolledBack(turn);
                }
            }
            case RollbackMessage.GroupGenerations held -> inStep.found(held, turn);
            case RollbackMessage.CheckpointDue due -> inStep.checkpointDue(due, turn);
            case RollbackMessage.GroupCheckpoint answer -> inStep.checkpointed(answer);
        }
    }

    void held(DetectionMessage.TestPassed held, SpawnerTurn turn) {
        tokens.held(held, turn);
    }

    void answered(DetectionMessage.GroupTestAnswer answer, SpawnerTurn turn) {
        if (tokens.answered(answer, turn)) {
            root.converged();
        }
    }

    void tick(SpawnerTurn turn) {
        if (!root.trying()) {
            tokens.refused(turn);
        }
        inStep.tick(turn);
        tokens.tick(turn);
    }

    int entries() {
        return inStep.entries() + tokens.entries();
    }
}
