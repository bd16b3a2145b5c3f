// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.spawner;

import static dev.volary.protocol.Samples.chain;
import static dev.volary.protocol.spawner.SpawnerParts.CONFIG;
import static dev.volary.protocol.spawner.SpawnerParts.DAEMON;
import static dev.volary.protocol.spawner.SpawnerParts.LOCK_STEP;
import static dev.volary.protocol.spawner.SpawnerParts.OTHER;
import static dev.volary.protocol.spawner.SpawnerParts.SECOND;
import static dev.volary.protocol.spawner.SpawnerParts.SELF;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.protocol.Samples;
import dev.volary.protocol.backup.HolderDirectory;
import dev.volary.protocol.config.SpawnerConfig;
import dev.volary.protocol.directory.BlockAssignments;
import dev.volary.protocol.directory.BlockDirectory;
import dev.volary.protocol.machine.SpawnerTurn;
import dev.volary.protocol.message.RollbackMessage;
import dev.volary.protocol.model.GroupTerm;
import dev.volary.protocol.rollback.GroupRollback;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Daemon 11 has all four blocks, with backups; the share of each of two daemons is two. */
class BlockMoverTest {
    private final BlockDirectory directory = new BlockDirectory();
    private final BlockAssignments assignments =
            new BlockAssignments(chain(4), CONFIG.retry(), directory, new GroupTerm(1, SELF.id()));
    private final HolderDirectory holders = new HolderDirectory(SELF, true);
    private final LoadBalancer balancer = new LoadBalancer(4, 2);

    private GroupCoordination coordination(SpawnerConfig config) {
        GroupCoordination coordination = new GroupCoordination(chain(4), config, directory, assignments);
        assignments.assignFirst(Samples.group(SELF, 1, 0, 1, 2, 3), List.of(DAEMON), new SpawnerTurn(0));
        coordination.planned();
        balancer.checkpointed(List.of(0, 1, 2, 3));
        return coordination;
    }

    private BlockMover mover(SpawnerConfig config, GroupCoordination coordination) {
        FailureReporter failure = new FailureReporter(directory, config.retry());
        BlockReassigner reassigner =
                new BlockReassigner(chain(4), config, assignments, coordination, holders, balancer, failure);
        return new BlockMover(assignments, coordination, holders, balancer, reassigner);
    }

    private static void tick(BlockMover mover, long now) {
        mover.tick(List.of(DAEMON, SECOND), Optional.of(OTHER.id()), new SpawnerTurn(now));
    }

    @Test
    void aDaemonThatIsWarmedUpGetsItsShare() {
        SpawnerParts.warmUp(holders, SECOND);
        tick(mover(CONFIG, coordination(CONFIG)), 0);
        assertEquals(List.of(0, 1), assignments.blocksOf(SECOND.id()));
        assertEquals(List.of(2, 3), assignments.blocksOf(DAEMON.id()));
    }

    @Test
    void aDaemonThatIsNotWarmedUpGetsNothing() {
        tick(mover(CONFIG, coordination(CONFIG)), 0);
        assertEquals(List.of(), assignments.blocksOf(SECOND.id()));
    }

    @Test
    void aGroupIsCrowdedIfNoDaemonHasTime() {
        BlockMover mover = mover(CONFIG, coordination(CONFIG));
        assertTrue(mover.isCrowded(List.of(DAEMON)));
        assertFalse(mover.isCrowded(List.of(DAEMON, SECOND)));
    }

    @Test
    void inLockStepBlocksMoveAfterACheckpointAndOnceForEachDaemon() {
        SpawnerParts.warmUp(holders, SECOND);
        GroupCoordination coordination = coordination(LOCK_STEP);
        BlockMover mover = mover(LOCK_STEP, coordination);
        takeCheckpoint(coordination, 10, 0);
        tick(mover, 0);
        assertFalse(coordination.isRollbackDue());
        long settled = LOCK_STEP.retry().toNanos();
        tick(mover, settled);
        assertTrue(coordination.isRollbackDue());
        assertEquals(List.of(0, 1), assignments.parked());
    }

    private static void takeCheckpoint(GroupCoordination coordination, long iteration, long now) {
        GroupRollback rollback = coordination.rollback().orElseThrow();
        SpawnerTurn turn = new SpawnerTurn(now);
        int epoch = rollback.epoch();
        rollback.received(new RollbackMessage.TakeCheckpoint(epoch, 0, iteration), OTHER.id(), turn);
        for (int block = 0; block < 4; block++) {
            rollback.received(
                    DAEMON.id(), new RollbackMessage.CheckpointTaken(epoch, block, iteration, true), OTHER.id(), turn);
        }
    }
}
