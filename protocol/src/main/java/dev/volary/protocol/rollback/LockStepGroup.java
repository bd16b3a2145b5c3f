// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.rollback;

import dev.volary.protocol.convergence.GroupTokens;
import dev.volary.protocol.directory.BlockDirectory;
import dev.volary.protocol.machine.SpawnerTurn;
import dev.volary.protocol.message.DetectionMessage;
import dev.volary.protocol.message.RollbackMessage;
import dev.volary.protocol.model.GroupTerm;
import dev.volary.protocol.model.WorkerId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** What a group of a synchronous job does beside all others: its share of checkpoints, rollbacks and tests. */
public final class LockStepGroup {
    private final GroupRollback inStep;
    private final GroupTokens tokens;

    public LockStepGroup(
            RollbackRules rules,
            Duration retry,
            BlockDirectory register,
            GroupTerm term,
            List<Integer> blocks,
            int epoch) {
        this.inStep = new GroupRollback(rules, retry, register, term, blocks, epoch);
        this.tokens = new GroupTokens(retry, register, term, blocks);
    }

    public GroupRollback rollbacks() {
        return inStep;
    }

    public void received(RollbackMessage.Command message, WorkerId lead, SpawnerTurn turn) {
        switch (message) {
            case RollbackMessage.ResumeFrom resume -> inStep.resume(resume, turn);
            case RollbackMessage.TakeCheckpoint wanted -> inStep.checkpoint(lead, wanted, turn);
        }
    }

    public void received(WorkerId from, RollbackMessage.DaemonReply message, WorkerId lead, SpawnerTurn turn) {
        switch (message) {
            case RollbackMessage.BlockGenerations held -> inStep.held(from, lead, held, turn);
            case RollbackMessage.CheckpointTaken taken -> inStep.checkpointed(lead, taken, turn);
        }
    }

    public void received(DetectionMessage.Command message, WorkerId lead, SpawnerTurn turn) {
        switch (message) {
            case DetectionMessage.TestQuery query -> tokens.query(lead, query, turn);
            case DetectionMessage.Proceed proceed -> tokens.proceed(proceed, turn);
        }
    }

    public void answered(DetectionMessage.TestAnswer answer, WorkerId lead, SpawnerTurn turn) {
        tokens.answered(lead, answer, turn);
    }

    public void tick(Optional<WorkerId> lead, SpawnerTurn turn) {
        inStep.tick(lead, turn);
        tokens.tick(turn);
    }

    public int entries() {
        return inStep.entries() + tokens.entries();
    }
}
