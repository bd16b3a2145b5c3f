// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.daemon;

import dev.volary.protocol.DaemonEvent;
import dev.volary.protocol.DaemonTurn;
import dev.volary.protocol.DetectionMessage;
import dev.volary.protocol.Incarnation;
import dev.volary.protocol.JobGraph;
import dev.volary.protocol.ProgressMessage;
import dev.volary.protocol.RollbackMessage;
import dev.volary.protocol.WorkerId;
import dev.volary.protocol.detection.DaemonTokens;
import dev.volary.protocol.formation.BlockDirectory;
import dev.volary.protocol.rollback.DaemonRollback;
import java.util.List;
import java.util.Optional;

/** What a daemon of a synchronous job does beside all others: its share of checkpoints, rollbacks and tests. */
final class LockStepDaemon {
    private final DaemonRollback inStep;
    private final DaemonTokens tokens;

    LockStepDaemon(JobGraph shape, BlockDirectory register, DaemonConfig config) {
        this.inStep = new DaemonRollback(
                shape, register, config.retry(), config.backups().every());
        this.tokens = new DaemonTokens(config.retry());
    }

    void assigned(int block, Incarnation incarnation) {
        inStep.assigned(block, incarnation);
    }

    void opened(int block, Incarnation incarnation, DaemonTurn turn) {
        tokens.opened(block, incarnation);
        inStep.opened(block, incarnation, turn);
    }

    void dropped(int block) {
        inStep.dropped(block);
        tokens.dropped(block);
    }

    void on(DaemonEvent.RollbackEvent event, Optional<WorkerId> owner, DaemonTurn turn) {
        switch (event) {
            case DaemonEvent.GenerationsFound found -> inStep.found(found, turn.now());
            case DaemonEvent.CheckpointTaken taken -> inStep.taken(taken, owner, turn);
        }
    }

    void tested(DaemonEvent.StepTested tested, Optional<WorkerId> owner, DaemonTurn turn) {
        tokens.tested(tested, owner, turn);
    }

    void paced(long every, DaemonTurn turn) {
        inStep.paced(every, turn);
    }

    void sampled(List<ProgressMessage.BlockProgress> samples, Optional<WorkerId> owner, DaemonTurn turn) {
        inStep.sampled(samples, owner, turn);
    }

    void received(RollbackMessage.Command message, Optional<WorkerId> owner, DaemonTurn turn) {
        switch (message) {
            case RollbackMessage.ResumeFrom resume -> inStep.resume(resume);
            case RollbackMessage.TakeCheckpoint wanted -> inStep.checkpoint(wanted, owner, turn);
        }
    }

    void received(DetectionMessage.Command message, Optional<WorkerId> owner, DaemonTurn turn) {
        switch (message) {
            case DetectionMessage.TestQuery query -> tokens.query(query, owner, turn);
            case DetectionMessage.Proceed proceed -> tokens.proceed(proceed, turn);
        }
    }

    void tick(Optional<WorkerId> owner, DaemonTurn turn) {
        inStep.tick(owner, turn);
        tokens.tick(owner, turn);
    }

    int entries() {
        return inStep.entries() + tokens.entries();
    }
}
