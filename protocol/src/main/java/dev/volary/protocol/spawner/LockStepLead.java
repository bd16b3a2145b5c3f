package dev.volary.protocol.spawner;

import dev.volary.protocol.Actions;
import dev.volary.protocol.Message;
import dev.volary.protocol.detection.TokenChain;
import dev.volary.protocol.rollback.LeadInStep;
import dev.volary.protocol.rollback.RollbackRules;
import dev.volary.protocol.snapshot.SnapshotRoot;
import java.time.Duration;

/** What the lead of a synchronous job does beside all others: checkpoints, rollbacks, and the token that asks for snapshots. */
final class LockStepLead {
    private final SnapshotRoot root;
    private final Duration retry;
    private final LeadInStep inStep;
    private TokenChain tokens;

    LockStepLead(SnapshotRoot root, RollbackRules rules, Duration retry, Message.Plan plan) {
        this.root = root;
        this.retry = retry;
        this.inStep = new LeadInStep(rules, retry, plan);
        this.tokens = new TokenChain(retry, plan, inStep.epoch());
    }

    /** Groups have changed hands: all blocks go back. */
    void regrouped(Message.Plan plan, Actions out, long now) {
        inStep.regrouped(plan, out, now);
        tokens = new TokenChain(retry, plan, inStep.epoch());
        root.rolledBack(out, now);
    }

    void received(Message.InStep message, Actions out, long now) {
        switch (message) {
            case Message.InStep.RollbackDue due -> {
                if (inStep.due(due, out, now)) {
                    tokens.rolledBack(inStep.epoch());
                    root.rolledBack(out, now);
                }
            }
            case Message.InStep.GroupGenerations held -> inStep.found(held, out);
            case Message.InStep.CheckpointDue due -> inStep.checkpointDue(due, out, now);
            case Message.InStep.GroupCheckpoint answer -> inStep.checkpointed(answer);
            case Message.InStep.StepHeld held -> tokens.held(held, out, now);
            case Message.InStep.GroupStep answer -> {
                if (tokens.answered(answer, out)) {
                    root.converged();
                }
            }
            case Message.InStep.CheckpointAt m -> {}
            case Message.InStep.CheckpointTaken m -> {}
            case Message.InStep.Rollback m -> {}
            case Message.InStep.Held m -> {}
            case Message.InStep.Resume m -> {}
            case Message.InStep.StepQuery m -> {}
            case Message.InStep.StepAnswer m -> {}
            case Message.InStep.Proceed m -> {}
        }
    }

    void tick(Actions out, long now) {
        if (!root.trying()) {
            tokens.refused(out);
        }
        inStep.tick(out, now);
        tokens.tick(out, now);
    }

    int entries() {
        return inStep.entries() + tokens.entries();
    }
}
