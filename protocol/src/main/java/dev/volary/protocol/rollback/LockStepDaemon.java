// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.rollback;

import dev.volary.protocol.config.DaemonConfig;
import dev.volary.protocol.convergence.DaemonTokens;
import dev.volary.protocol.directory.BlockDirectory;
import dev.volary.protocol.machine.DaemonEvent;
import dev.volary.protocol.machine.DaemonTurn;
import dev.volary.protocol.message.DetectionMessage;
import dev.volary.protocol.message.ProgressMessage;
import dev.volary.protocol.message.RollbackMessage;
import dev.volary.protocol.model.Incarnation;
import dev.volary.protocol.model.JobGraph;
import dev.volary.protocol.model.WorkerId;
import java.util.List;
import java.util.Optional;

/** What a daemon of a synchronous job does beside all others: its share of checkpoints, rollbacks and tests. */
public final class LockStepDaemon {
    private final DaemonRollback inStep;
    private final DaemonTokens tokens;

    public LockStepDaemon(JobGraph shape, BlockDirectory register, DaemonConfig config) {
        this.inStep = new DaemonRollback(
                shape, register, config.retry(), config.backups().every());
        this.tokens = new DaemonTokens(config.retry());
    }

    public void assigned(int block, Incarnation incarnation) {
        inStep.assigned(block, incarnation);
    }

    public void opened(int block, Incarnation incarnation, DaemonTurn turn) {
        tokens.opened(block, incarnation);
        inStep.opened(block, incarnation, turn);
    }

    public void dropped(int block) {
        inStep.dropped(block);
        tokens.dropped(block);
    }

    public void on(DaemonEvent.RollbackEvent event, Optional<WorkerId> owner, DaemonTurn turn) {
        switch (event) {
            case DaemonEvent.GenerationsFound found -> inStep.found(found, turn.now());
            case DaemonEvent.CheckpointTaken taken -> inStep.taken(taken, owner, turn);
        }
    }

    public void tested(DaemonEvent.StepTested tested, Optional<WorkerId> owner, DaemonTurn turn) {
        tokens.tested(tested, owner, turn);
    }

    public void paced(long every, DaemonTurn turn) {
        inStep.paced(every, turn);
    }

    public void sampled(List<ProgressMessage.BlockProgress> samples, Optional<WorkerId> owner, DaemonTurn turn) {
        inStep.sampled(samples, owner, turn);
    }

    public void received(RollbackMessage.Command message, Optional<WorkerId> owner, DaemonTurn turn) {
        switch (message) {
            case RollbackMessage.ResumeFrom resume -> inStep.resume(resume);
            case RollbackMessage.TakeCheckpoint wanted -> inStep.checkpoint(wanted, owner, turn);
        }
    }

    public void received(DetectionMessage.Command message, Optional<WorkerId> owner, DaemonTurn turn) {
        switch (message) {
            case DetectionMessage.TestQuery query -> tokens.query(query, owner, turn);
            case DetectionMessage.Proceed proceed -> tokens.proceed(proceed, turn);
        }
    }

    public void tick(Optional<WorkerId> owner, DaemonTurn turn) {
        inStep.tick(owner, turn);
        tokens.tick(owner, turn);
    }

    public int entries() {
        return inStep.entries() + tokens.entries();
    }
}
