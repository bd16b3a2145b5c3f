package dev.volary.protocol.rollback;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.protocol.Actions;
import dev.volary.protocol.GroupTerm;
import dev.volary.protocol.Message;
import dev.volary.protocol.NodeId;
import dev.volary.protocol.formation.Register;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class GroupInStepTest {
    private static final NodeId LEAD = new NodeId(1);
    private static final Duration RETRY = Duration.ofMillis(200);
    private static final long ITERATION = 240;

    private final GroupInStep group = new GroupInStep(
            RollbackRules.standard(), RETRY, new Register(), new GroupTerm(1, new NodeId(2)), List.of(0, 1), 1);
    private final Actions out = new Actions();

    private void checkpointed(int block, boolean stored, long now) {
        group.checkpointed(LEAD, new Message.InStep.CheckpointTaken(1, block, ITERATION, stored), out, now);
    }

    private void order() {
        group.checkpoint(LEAD, new Message.InStep.CheckpointAt(1, 0, ITERATION), out, 0);
    }

    @Test
    void aCheckpointSettlesOnceARetryAfterItsLastBlockIsDurable() {
        order();
        checkpointed(0, true, 10);
        assertFalse(group.settles(out, 10 + RETRY.toNanos()));
        checkpointed(1, true, 20);
        assertFalse(group.settles(out, 19 + RETRY.toNanos()));
        assertTrue(group.settles(out, 20 + RETRY.toNanos()));
        assertFalse(group.settles(out, 21 + RETRY.toNanos()));
    }

    @Test
    void aCheckpointThatABlockHasMissedDoesNotSettle() {
        order();
        checkpointed(0, false, 10);
        checkpointed(0, true, 11);
        checkpointed(1, true, 12);
        assertFalse(group.settles(out, 12 + RETRY.toNanos()));
    }

    @Test
    void aRollbackForgetsTheCheckpointThatWasAboutToSettle() {
        order();
        checkpointed(0, true, 10);
        checkpointed(1, true, 10);
        assertTrue(group.rollback(LEAD, new Message.InStep.Rollback(2), out));
        assertFalse(group.settles(out, 10 + RETRY.toNanos()));
    }
}
