// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.spawner;

import static dev.volary.protocol.Samples.chain;
import static dev.volary.protocol.Samples.incarnation;
import static dev.volary.protocol.Samples.messages;
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
import dev.volary.protocol.directory.Epochs;
import dev.volary.protocol.machine.JobEvent;
import dev.volary.protocol.machine.SpawnerAction;
import dev.volary.protocol.machine.SpawnerTurn;
import dev.volary.protocol.message.BlockMessage;
import dev.volary.protocol.message.RegistrationMessage;
import dev.volary.protocol.model.GroupTerm;
import dev.volary.protocol.model.JobGraph;
import dev.volary.protocol.model.Member;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Daemon 11 has the blocks 0 and 1, daemon 12 has none. */
class BlockReassignerTest {
    private static final List<Member> BOTH = List.of(DAEMON, SECOND);

    private final SpawnerTurn turn = new SpawnerTurn(0);

    private static final class Parts {
        private final BlockAssignments assignments;
        private final GroupCoordination coordination;
        private final FailureReporter failure;
        private final BlockReassigner reassigner;

        private Parts(JobGraph graph, SpawnerConfig config) {
            BlockDirectory directory = new BlockDirectory();
            assignments = new BlockAssignments(graph, config.retry(), directory, new GroupTerm(1, SELF.id()));
            coordination = new GroupCoordination(graph, config, directory, assignments);
            failure = new FailureReporter(directory, config.retry());
            reassigner = new BlockReassigner(
                    graph,
                    config,
                    assignments,
                    coordination,
                    new HolderDirectory(SELF, true),
                    new LoadBalancer(2, 2),
                    failure);
            assignments.assignFirst(Samples.group(SELF, 1, 0, 1), List.of(DAEMON), new SpawnerTurn(0));
            coordination.planned();
        }

        private void lost(List<Member> left, SpawnerTurn turn) {
            reassigner.lost(List.of(SpawnerParts.dead(DAEMON)), left, Optional.of(OTHER.id()), turn);
        }

        private String failure() {
            SpawnerTurn turn = new SpawnerTurn(Long.MAX_VALUE / 2);
            failure.tick(Optional.of(OTHER.id()), turn);
            return messages(turn).toString();
        }
    }

    @Test
    void theBlocksOfALostDaemonGoToAnotherOne() {
        Parts parts = new Parts(chain(2), CONFIG);
        parts.lost(List.of(SECOND), turn);
        assertEquals(List.of(0, 1), parts.assignments.blocksOf(SECOND.id()));
        assertTrue(turn.actions()
                .contains(new SpawnerAction.EmitEvent(new JobEvent.BlocksReassigned(SECOND.id(), List.of(0, 1)))));
    }

    @Test
    void aLeavingDaemonKeepsItsBusyBlocksAndGetsNoOthers() {
        Parts parts = new Parts(chain(2), CONFIG);
        RegistrationMessage.Leaving leaving = new RegistrationMessage.Leaving(DAEMON.id(), List.of(1));
        assertFalse(parts.reassigner.leaves(leaving, BOTH, Optional.of(OTHER.id()), turn));
        assertEquals(List.of(1), parts.assignments.blocksOf(DAEMON.id()));
        assertEquals(List.of(0), parts.assignments.blocksOf(SECOND.id()));
        assertEquals(List.of(SECOND), parts.reassigner.staying(BOTH));
    }

    @Test
    void blocksThatAreParkedForTooLongEndTheJob() {
        Parts parts = new Parts(chain(2), CONFIG);
        parts.lost(List.of(), turn);
        assertEquals(List.of(0, 1), parts.assignments.parked());
        long patience = CONFIG.recovery().patience().toNanos();
        parts.reassigner.tick(new SpawnerTurn(patience - 1));
        assertFalse(parts.failure.hasFailed());
        parts.reassigner.tick(new SpawnerTurn(patience));
        assertTrue(parts.failure().contains("blocks [0, 1] have had no daemon for PT10M"), parts.failure());
    }

    @Test
    void aDaemonThatJoinsGetsParkedBlocks() {
        Parts parts = new Parts(chain(2), CONFIG);
        parts.lost(List.of(), turn);
        parts.reassigner.joined(List.of(SECOND), Optional.of(OTHER.id()), turn);
        assertEquals(List.of(0, 1), parts.assignments.blocksOf(SECOND.id()));
        parts.reassigner.tick(new SpawnerTurn(CONFIG.recovery().patience().toNanos()));
        assertFalse(parts.failure.hasFailed());
    }

    @Test
    void aBlockThatNoDaemonCanOpenEndsTheJob() {
        Parts parts = new Parts(chain(2), CONFIG);
        BlockMessage.BlockFailed failed =
                new BlockMessage.BlockFailed(0, incarnation(1, Epochs.first(1)), "no memory", false);
        parts.reassigner.failed(DAEMON.id(), failed, BOTH, Optional.of(OTHER.id()), turn);
        assertEquals(List.of(0), parts.assignments.blocksOf(SECOND.id()));
        parts.reassigner.failed(SECOND.id(), failed, BOTH, Optional.of(OTHER.id()), turn);
        assertTrue(parts.failure().contains("no memory (tried on 2 daemons)"), parts.failure());
    }

    @Test
    void inLockStepBlocksWaitForARollback() {
        Parts parts = new Parts(chain(2), LOCK_STEP);
        parts.lost(List.of(SECOND), turn);
        assertTrue(parts.coordination.isRollbackDue());
        assertEquals(List.of(0, 1), parts.assignments.parked());
    }

    @Test
    void aLockStepJobWithTimeStepsCannotLoseADaemon() {
        Parts parts = new Parts(chain(2, 3), LOCK_STEP);
        parts.lost(List.of(SECOND), turn);
        assertTrue(parts.failure().contains("use the asynchronous one"), parts.failure());
    }
}
