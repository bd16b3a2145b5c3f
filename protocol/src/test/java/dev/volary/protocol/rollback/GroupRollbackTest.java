// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.rollback;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.protocol.directory.BlockDirectory;
import dev.volary.protocol.machine.SpawnerTurn;
import dev.volary.protocol.message.RollbackMessage;
import dev.volary.protocol.model.GroupTerm;
import dev.volary.protocol.model.WorkerId;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class GroupRollbackTest {
    private static final WorkerId LEAD = new WorkerId(1);
    private static final Duration RETRY = Duration.ofMillis(200);
    private static final long ITERATION = 240;

    private final GroupRollback group =
            new GroupRollback(RETRY, new BlockDirectory(), new GroupTerm(1, new WorkerId(2)), List.of(0, 1), 1);

    private void checkpointed(int block, boolean stored, long now) {
        group.checkpointed(
                LEAD, new RollbackMessage.CheckpointTaken(1, block, ITERATION, stored), new SpawnerTurn(now));
    }

    private void order() {
        group.checkpoint(LEAD, new RollbackMessage.TakeCheckpoint(1, 0, ITERATION), new SpawnerTurn(0));
    }

    @Test
    void aCheckpointSettlesOnceARetryAfterItsLastBlockIsDurable() {
        order();
        checkpointed(0, true, 10);
        assertFalse(group.pollSettled(new SpawnerTurn(10 + RETRY.toNanos())));
        checkpointed(1, true, 20);
        assertFalse(group.pollSettled(new SpawnerTurn(19 + RETRY.toNanos())));
        assertTrue(group.pollSettled(new SpawnerTurn(20 + RETRY.toNanos())));
        assertFalse(group.pollSettled(new SpawnerTurn(21 + RETRY.toNanos())));
    }

    @Test
    void aCheckpointThatABlockHasMissedDoesNotSettle() {
        order();
        checkpointed(0, false, 10);
        checkpointed(0, true, 11);
        checkpointed(1, true, 12);
        assertFalse(group.pollSettled(new SpawnerTurn(12 + RETRY.toNanos())));
    }

    @Test
    void aRollbackForgetsTheCheckpointThatWasAboutToSettle() {
        order();
        checkpointed(0, true, 10);
        checkpointed(1, true, 10);
        assertTrue(group.rollback(LEAD, new RollbackMessage.BeginEpoch(2), new SpawnerTurn(0)));
        assertFalse(group.pollSettled(new SpawnerTurn(10 + RETRY.toNanos())));
    }
}
