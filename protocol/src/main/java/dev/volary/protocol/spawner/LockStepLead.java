// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.spawner;

import dev.volary.protocol.Message;
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

    void received(Message.InStep message, SpawnerTurn turn) {
        switch (message) {
            case Message.InStep.RollbackRequest due -> {
                if (inStep.due(due, turn)) {
                    tokens.rolledBack(inStep.epoch());
                    root.rolledBack(turn);
                }
            }
            case Message.InStep.GroupGenerations held -> inStep.found(held, turn);
            case Message.InStep.CheckpointDue due -> inStep.checkpointDue(due, turn);
            case Message.InStep.GroupCheckpoint answer -> inStep.checkpointed(answer);
            case Message.InStep.TestPassed held -> tokens.held(held, turn);
            case Message.InStep.GroupTestAnswer answer -> {
                if (tokens.answered(answer, turn)) {
                    root.converged();
                }
            }
            case Message.InStep.TakeCheckpoint m -> {}
            case Message.InStep.CheckpointTaken m -> {}
            case Message.InStep.BeginEpoch m -> {}
            case Message.InStep.BlockGenerations m -> {}
            case Message.InStep.ResumeFrom m -> {}
            case Message.InStep.TestQuery m -> {}
            case Message.InStep.TestAnswer m -> {}
            case Message.InStep.Proceed m -> {}
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
