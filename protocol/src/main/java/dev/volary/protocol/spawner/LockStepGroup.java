// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.spawner;

import dev.volary.protocol.GroupTerm;
import dev.volary.protocol.Message;
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

    /** A message other than {@link Message.InStep.BeginEpoch}, from a daemon of the group or from the lead. */
    void received(WorkerId from, Message.InStep message, WorkerId lead, SpawnerTurn turn) {
        switch (message) {
            case Message.InStep.BlockGenerations held -> inStep.held(from, lead, held, turn);
            case Message.InStep.ResumeFrom resume -> inStep.resume(resume, turn);
            case Message.InStep.TakeCheckpoint wanted -> inStep.checkpoint(lead, wanted, turn);
            case Message.InStep.CheckpointTaken taken -> inStep.checkpointed(lead, taken, turn);
            case Message.InStep.TestQuery query -> tokens.query(lead, query, turn);
            case Message.InStep.TestAnswer answer -> tokens.answered(lead, answer, turn);
            case Message.InStep.Proceed proceed -> tokens.proceed(proceed, turn);
            case Message.InStep.BeginEpoch m -> {}
            case Message.InStep.RollbackRequest m -> {}
            case Message.InStep.GroupGenerations m -> {}
            case Message.InStep.CheckpointDue m -> {}
            case Message.InStep.GroupCheckpoint m -> {}
            case Message.InStep.TestPassed m -> {}
            case Message.InStep.GroupTestAnswer m -> {}
        }
    }

    void tick(Optional<WorkerId> lead, SpawnerTurn turn) {
        inStep.tick(lead, turn);
        tokens.tick(turn);
    }

    int entries() {
        return inStep.entries() + tokens.entries();
    }
}
