// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.spawner;

import static dev.volary.protocol.Samples.messagesTo;
import static dev.volary.protocol.spawner.SpawnerParts.DAEMON;
import static dev.volary.protocol.spawner.SpawnerParts.OTHER;
import static dev.volary.protocol.spawner.SpawnerParts.SELF;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.protocol.Samples;
import dev.volary.protocol.machine.SpawnerTurn;
import dev.volary.protocol.message.BlockMessage;
import dev.volary.protocol.message.TakeoverMessage;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Spawner 2 leads. */
class PlanExecutorTest {
    private final SpawnerParts parts = new SpawnerParts();
    private final PlanExecutor executor = new PlanExecutor(
            SELF, parts.graph, parts.group, parts.ownership, parts.spawners, parts.leadership, parts.reporter);
    private final SpawnerTurn turn = new SpawnerTurn(0);

    PlanExecutorTest() {
        parts.elect(OTHER);
    }

    private static TakeoverMessage.Plan plan(Integer... blocks) {
        return new TakeoverMessage.Plan(
                1, List.of(Samples.group(SELF, 1, blocks), Samples.group(Samples.spawner(3), 1, 3)));
    }

    @Test
    void theFirstPlanOfTheLeaderGivesTheGroupItsBlocks() {
        parts.join(DAEMON);
        executor.received(OTHER.id(), plan(0, 1), false, gone -> false, turn);
        assertEquals(List.of(0, 1), parts.blocksOf(DAEMON));
        assertTrue(parts.spawners.has(Samples.spawner(3).id()), "the plan names it");
        executor.received(OTHER.id(), plan(0, 1, 2), false, gone -> false, turn);
        assertEquals(List.of(0, 1), parts.blocks());
    }

    /** A plan from the log of a former leader. */
    @Test
    void aSpawnerOfThePlanThatTheLeaderKnowsToBeDeadDoesNotCountAsLiving() {
        executor.received(OTHER.id(), plan(0, 1), false, Samples.spawner(3).id()::equals, turn);
        assertFalse(parts.spawners.has(Samples.spawner(3).id()));
    }

    @Test
    void aPlanOfAnotherSpawnerIsIgnored() {
        executor.received(SELF.id(), plan(0, 1), false, gone -> false, turn);
        assertFalse(parts.group.isPlanned());
        assertEquals(List.of(), turn.actions());
    }

    @Test
    void blocksThatDoNotFitEndTheJob() {
        parts.join(Samples.daemon(11, 15));
        executor.received(OTHER.id(), plan(0, 1), false, gone -> false, turn);
        assertFalse(parts.group.isPlanned());
        assertTrue(messagesTo(OTHER.id(), turn).stream()
                .anyMatch(message -> message instanceof BlockMessage.BlockFailed failed && failed.fatal()));
    }

    @Test
    void blocksThatDoNotFitAfterALossAreParked() {
        parts.join(Samples.daemon(11, 15));
        executor.received(OTHER.id(), plan(0, 1), true, gone -> false, turn);
        assertTrue(parts.group.isPlanned());
        assertEquals(List.of(), messagesTo(OTHER.id(), turn));
    }

    @Test
    void aSpawnerThatThePlanDoesNotNameHasAGroupWithoutBlocks() {
        executor.received(
                OTHER.id(),
                new TakeoverMessage.Plan(1, List.of(Samples.group(OTHER, 1, 0, 1, 2, 3))),
                false,
                gone -> false,
                turn);
        assertEquals(List.of(), parts.blocks());
    }
}
