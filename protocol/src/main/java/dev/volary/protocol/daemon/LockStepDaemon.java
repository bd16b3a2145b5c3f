package dev.volary.protocol.daemon;

import dev.volary.protocol.Actions;
import dev.volary.protocol.Event;
import dev.volary.protocol.Incarnation;
import dev.volary.protocol.JobShape;
import dev.volary.protocol.Message;
import dev.volary.protocol.NodeId;
import dev.volary.protocol.detection.TokenMember;
import dev.volary.protocol.formation.Register;
import dev.volary.protocol.rollback.MemberInStep;
import java.util.List;
import java.util.Optional;

/** What a daemon of a synchronous job does beside all others: its share of checkpoints, rollbacks and tests. */
final class LockStepDaemon {
    private final MemberInStep inStep;
    private final TokenMember tokens;

    LockStepDaemon(JobShape shape, Register register, DaemonConfig config) {
        this.inStep = new MemberInStep(
                shape, register, config.retry(), config.backups().every());
        this.tokens = new TokenMember(config.retry());
    }

    void assigned(int block, Incarnation incarnation) {
        inStep.assigned(block, incarnation);
    }

    void opened(int block, Incarnation incarnation, Actions out) {
        tokens.opened(block, incarnation);
        inStep.opened(block, incarnation, out);
    }

    void dropped(int block) {
        inStep.dropped(block);
        tokens.dropped(block);
    }

    void found(Event.GenerationsFound found, long now) {
        inStep.found(found, now);
    }

    void taken(Event.CheckpointTaken taken, Optional<NodeId> owner, Actions out) {
        inStep.taken(taken, owner, out);
    }

    void tested(Event.StepTested tested, Optional<NodeId> owner, Actions out, long now) {
        tokens.tested(tested, owner, out, now);
    }

    void paced(long every, Actions out) {
        inStep.paced(every, out);
    }

    void sampled(List<Message.BlockProgress> samples, Optional<NodeId> owner, Actions out) {
        inStep.sampled(samples, owner, out);
    }

    void received(Message.InStep message, Optional<NodeId> owner, Actions out) {
        switch (message) {
            case Message.InStep.Resume resume -> inStep.resume(resume);
            case Message.InStep.CheckpointAt wanted -> inStep.checkpoint(wanted, owner, out);
            case Message.InStep.StepQuery query -> tokens.query(query, owner, out);
            case Message.InStep.Proceed proceed -> tokens.proceed(proceed, out);
            case Message.InStep.CheckpointDue m -> {}
            case Message.InStep.CheckpointTaken m -> {}
            case Message.InStep.GroupCheckpoint m -> {}
            case Message.InStep.RollbackDue m -> {}
            case Message.InStep.Rollback m -> {}
            case Message.InStep.Held m -> {}
            case Message.InStep.GroupGenerations m -> {}
            case Message.InStep.StepHeld m -> {}
            case Message.InStep.StepAnswer m -> {}
            case Message.InStep.GroupStep m -> {}
        }
    }

    void tick(Optional<NodeId> owner, Actions out, long now) {
        inStep.tick(owner, out, now);
        tokens.tick(owner, out, now);
    }

    int entries() {
        return inStep.entries() + tokens.entries();
    }
}
