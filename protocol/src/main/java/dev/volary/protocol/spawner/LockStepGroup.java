package dev.volary.protocol.spawner;

import dev.volary.protocol.Actions;
import dev.volary.protocol.GroupTerm;
import dev.volary.protocol.Message;
import dev.volary.protocol.NodeId;
import dev.volary.protocol.detection.TokenGroup;
import dev.volary.protocol.formation.Register;
import dev.volary.protocol.rollback.GroupInStep;
import dev.volary.protocol.rollback.RollbackRules;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** What a group of a synchronous job does beside all others: its share of checkpoints, rollbacks and tests. */
final class LockStepGroup {
    private final GroupInStep inStep;
    private final TokenGroup tokens;

    LockStepGroup(
            RollbackRules rules, Duration retry, Register register, GroupTerm term, List<Integer> blocks, int epoch) {
        this.inStep = new GroupInStep(rules, retry, register, term, blocks, epoch);
        this.tokens = new TokenGroup(retry, register, term, blocks);
    }

    GroupInStep rollbacks() {
        return inStep;
    }

    /** A message other than {@link Message.InStep.Rollback}, from a daemon of the group or from the lead. */
    void received(NodeId from, Message.InStep message, NodeId lead, Actions out, long now) {
        switch (message) {
            case Message.InStep.Held held -> inStep.held(from, lead, held, out);
            case Message.InStep.Resume resume -> inStep.resume(resume, out);
            case Message.InStep.CheckpointAt wanted -> inStep.checkpoint(lead, wanted, out, now);
            case Message.InStep.CheckpointTaken taken -> inStep.checkpointed(lead, taken, out, now);
            case Message.InStep.StepQuery query -> tokens.query(lead, query, out, now);
            case Message.InStep.StepAnswer answer -> tokens.answered(lead, answer, out);
            case Message.InStep.Proceed proceed -> tokens.proceed(proceed, out);
            case Message.InStep.Rollback m -> {}
            case Message.InStep.RollbackDue m -> {}
            case Message.InStep.GroupGenerations m -> {}
            case Message.InStep.CheckpointDue m -> {}
            case Message.InStep.GroupCheckpoint m -> {}
            case Message.InStep.StepHeld m -> {}
            case Message.InStep.GroupStep m -> {}
        }
    }

    void tick(Optional<NodeId> lead, Actions out, long now) {
        inStep.tick(lead, out, now);
        tokens.tick(out, now);
    }

    int entries() {
        return inStep.entries() + tokens.entries();
    }
}
