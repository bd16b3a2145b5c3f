// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.spawner;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.protocol.machine.SpawnerTurn;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class UnlocatedBlocksTest {
    private final UnlocatedBlocks blocks = new UnlocatedBlocks(Duration.ofNanos(100));

    @Test
    void blocksAreDueOnceTheWaitIsOver() {
        blocks.add(List.of(3, 4), false, 10);
        assertFalse(blocks.isDue(new SpawnerTurn(109)));
        assertTrue(blocks.isDue(new SpawnerTurn(110)));
        assertEquals(Set.of(3, 4), blocks.removeAll());
        assertFalse(blocks.isDue(new SpawnerTurn(110)));
    }

    @Test
    void blocksThatNoDaemonComputesAreDueAtOnce() {
        blocks.add(List.of(3), true, 10);
        assertTrue(blocks.isDue(new SpawnerTurn(10)));
    }

    @Test
    void aBlockThatIsFoundDoesNotWait() {
        blocks.add(List.of(3, 4), false, 10);
        blocks.remove(List.of(3));
        assertEquals(Set.of(4), blocks.removeAll());
        assertTrue(blocks.isEmpty());
    }

    @Test
    void aTakeoverOfKnownBlocksDoesNotProlongTheWait() {
        blocks.add(List.of(3), false, 10);
        blocks.add(List.of(), false, 90);
        assertTrue(blocks.isDue(new SpawnerTurn(110)));
    }

    @Test
    void itAsksForACallWhenTheWaitIsOver() {
        SpawnerTurn turn = new SpawnerTurn(10);
        blocks.add(List.of(3), false, 10);
        blocks.tick(turn);
        assertEquals(110, turn.wakeUp());
    }
}
