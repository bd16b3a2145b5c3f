// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.spawner;

import dev.volary.protocol.DetectionMessage;
import dev.volary.protocol.GroupTerm;
import dev.volary.protocol.RollbackMessage;
import dev.volary.protocol.SpawnerTurn;
import dev.volary.protocol.WorkerId;
import dev.volary.protocol.detection.GroupTokens;
import dev.volary.protocol.formation.BlockDirectory;
import dev.volary.protocol.rollback.GroupRollback;
import dev.volary.protocol.rollback.RollbackRules;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** What a group of a synchronous job does beside all others: its share of checkpoints, rollbacks and tests. */
final class LockStepGroup {
    private final GroupRollback inStep;
    private final GroupTokens tokens;

    LockStepGroup(
            RollbackRules rules,
            Duration retry,
            BlockDirectory register,
            GroupTerm term,
            List<Integer> blocks,
            int epoch) {
        this.inStep = new GroupRollback(rules, retry, register, term, blocks, epoch);
        this.tokens = new GroupTokens(retry, register, term, blocks);
    }

    GroupRollback rollbacks() {
        return inStep;
    }

    void received(RollbackMessage.Command message, WorkerId lead, SpawnerTurn turn) {
        switch (message) {
            case RollbackMessage.ResumeFrom resume -> inStep.resume(resume, turn);
            case RollbackMessage.TakeCheckpoint wanted -> inStep.checkpoint(lead, wanted, turn);
        }
    }

    void received(WorkerId from, RollbackMessage.DaemonReply message, WorkerId lead, SpawnerTurn turn) {
        switch (message) {
            case RollbackMessage.BlockGenerations held -> inStep.held(from, lead, held, turn);
            case RollbackMessage.CheckpointTaken taken -> inStep.checkpointed(lead, taken, turn);
        }
    }

    void received(DetectionMessage.Command message, WorkerId lead, SpawnerTurn turn) {
        switch (message) {
            case DetectionMessage.TestQuery query -> tokens.query(lead, query, turn);
            case DetectionMessage.Proceed proceed -> tokens.proceed(proceed, turn);
        }
    }

    void answered(DetectionMessage.TestAnswer answer, WorkerId lead, SpawnerTurn turn) {
        tokens.answered(lead, answer, turn);
    }

    void tick(Optional<WorkerId> lead, SpawnerTurn turn) {
        inStep.tick(lead, turn);
        tokens.tick(turn);
    }

    int entries() {
        return inStep.entries() + tokens.entries();
    }
}
