// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.spawner;

import static dev.volary.protocol.Samples.chain;
import static dev.volary.protocol.spawner.SpawnerParts.CONFIG;
import static dev.volary.protocol.spawner.SpawnerParts.DAEMON;
import static dev.volary.protocol.spawner.SpawnerParts.LOCK_STEP;
import static dev.volary.protocol.spawner.SpawnerParts.OTHER;
import static dev.volary.protocol.spawner.SpawnerParts.SELF;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.protocol.Samples;
import dev.volary.protocol.config.SpawnerConfig;
import dev.volary.protocol.directory.BlockAssignments;
import dev.volary.protocol.directory.BlockDirectory;
import dev.volary.protocol.directory.Epochs;
import dev.volary.protocol.machine.SpawnerTurn;
import dev.volary.protocol.message.RollbackMessage;
import dev.volary.protocol.model.GroupTerm;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A group with the blocks 0 and 1. */
class GroupCoordinationTest {
    private final BlockDirectory directory = new BlockDirectory();
    private final BlockAssignments assignments =
            new BlockAssignments(chain(2), CONFIG.retry(), directory, new GroupTerm(1, SELF.id()));

    private GroupCoordination coordination(SpawnerConfig config) {
        return new GroupCoordination(chain(2), config, directory, assignments);
    }

    private GroupCoordination plannedInLockStep() {
        GroupCoordination coordination = coordination(LOCK_STEP);
        assignments.assignFirst(Samples.group(SELF, 1, 0, 1), List.of(DAEMON), new SpawnerTurn(0));
        coordination.planned();
        return coordination;
    }

    @Test
    void onlyALockStepJobRollsBackAndHasTokens() {
        assertTrue(coordination(CONFIG).rollback().isEmpty());
        assertTrue(coordination(CONFIG).tokens().isEmpty());
        assertTrue(coordination(LOCK_STEP).rollback().isPresent());
        assertTrue(coordination(LOCK_STEP).tokens().isPresent());
    }

    @Test
    void inLockStepAllBlocksRollBackWhenBlocksComeOrGo() {
        GroupCoordination coordination = plannedInLockStep();
        assertFalse(coordination.isRollbackDue());
        coordination.regrouped(5);
        assertTrue(coordination.isRollbackDue());
        assertEquals(Epochs.first(1), coordination.rollback().orElseThrow().epoch(), "the epoch stays");
    }

    @Test
    void aGroupWithoutBlocksRequestsNoRollback() {
        GroupCoordination coordination = coordination(LOCK_STEP);
        coordination.regrouped(5);
        assertFalse(coordination.isRollbackDue());
    }

    @Test
    void anEpochBeginsOnce() {
        GroupCoordination coordination = plannedInLockStep();
        RollbackMessage.BeginEpoch next = new RollbackMessage.BeginEpoch(Epochs.first(1) + 1);
        assertTrue(coordination.beginEpoch(OTHER.id(), next, new SpawnerTurn(0)));
        assertFalse(coordination.beginEpoch(OTHER.id(), next, new SpawnerTurn(0)));
        assertFalse(coordination(CONFIG).beginEpoch(OTHER.id(), next, new SpawnerTurn(0)));
    }
}
