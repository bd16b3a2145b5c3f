// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.spawner;

import static dev.volary.protocol.Samples.chain;
import static dev.volary.protocol.Samples.daemon;
import static dev.volary.protocol.Samples.group;
import static dev.volary.protocol.Samples.spawner;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.protocol.directory.BlockAssignments;
import dev.volary.protocol.directory.BlockDirectory;
import dev.volary.protocol.machine.SpawnerTurn;
import dev.volary.protocol.model.GroupTerm;
import dev.volary.protocol.model.Member;
import dev.volary.protocol.model.WorkerId;
import dev.volary.protocol.placement.BlockFailures;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** One daemon has all four blocks; two daemons are to compute, so the share of each is two blocks. */
class LoadBalancerTest {
    private static final Member SPAWNER = spawner(1);
    private static final Member BUSY = daemon(11);
    private static final Member FREE = daemon(12);

    private final LoadBalancer balancer = new LoadBalancer(4, 2);
    private final BlockAssignments assignments = new BlockAssignments(
            chain(4), Duration.ofMillis(200), new BlockDirectory(), new GroupTerm(1, SPAWNER.id()));
    private final BlockFailures failures = new BlockFailures(3);

    LoadBalancerTest() {
        assignments.assignFirst(group(SPAWNER, 1, 0, 1, 2, 3), List.of(BUSY), new SpawnerTurn(0));
    }

    private Map<WorkerId, Set<Integer>> relief(Member helper) {
        return balancer.relief(helper, List.of(BUSY), assignments, failures);
    }

    @Test
    void aFreeDaemonRelievesOneThatHasMoreThanItsShare() {
        assertTrue(balancer.hasOverloaded(List.of(BUSY), assignments));
        assertTrue(balancer.hasTime(FREE, assignments));
        assertFalse(balancer.hasTime(BUSY, assignments));
        balancer.checkpointed(List.of(0, 1, 2, 3));
        assertEquals(Map.of(BUSY.id(), Set.of(0, 1)), relief(FREE));
    }

    @Test
    void onlyBlocksWithABackupMove() {
        assertEquals(Map.of(), relief(FREE));
        balancer.checkpointed(List.of(3));
        assertEquals(Map.of(BUSY.id(), Set.of(3)), relief(FREE));
        balancer.moved(List.of(3));
        assertEquals(Map.of(), relief(FREE), "at its new place it is not backed up yet");
    }

    @Test
    void aBlockDoesNotMoveToADaemonThatItFailedOn() {
        balancer.checkpointed(List.of(0, 1));
        failures.failed(0, FREE.id());
        assertEquals(Map.of(BUSY.id(), Set.of(1)), relief(FREE));
    }

    @Test
    void blocksMoveOnlyWhereTheyFit() {
        balancer.checkpointed(List.of(0, 1));
        assertEquals(Map.of(), relief(daemon(12, 15)));
        assertEquals(Map.of(BUSY.id(), Set.of(0, 1)), relief(daemon(12, 20)));
    }

    @Test
    void nothingMovesWhileEveryDaemonHasItsShare() {
        balancer.wanted(1);
        balancer.checkpointed(List.of(0, 1, 2, 3));
        assertFalse(balancer.hasOverloaded(List.of(BUSY), assignments));
        assertEquals(Map.of(), relief(FREE));
    }
}
