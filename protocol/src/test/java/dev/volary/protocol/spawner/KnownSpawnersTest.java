// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.spawner;

import static dev.volary.protocol.Samples.spawner;
import static dev.volary.protocol.spawner.SpawnerParts.OTHER;
import static dev.volary.protocol.spawner.SpawnerParts.SELF;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.volary.protocol.machine.SpawnerAction;
import dev.volary.protocol.machine.SpawnerTurn;
import dev.volary.protocol.machine.WorkerAction;
import dev.volary.protocol.model.Member;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class KnownSpawnersTest {
    private final EvictedWorkers evicted = new EvictedWorkers();
    private final KnownSpawners spawners = new KnownSpawners(SELF.id(), evicted);

    private List<SpawnerAction> actionsOfAdding(Member spawner) {
        SpawnerTurn turn = new SpawnerTurn(0);
        spawners.add(spawner, turn);
        return turn.actions();
    }

    @Test
    void aSpawnerIsMadeReachableOnce() {
        assertEquals(List.of(new WorkerAction.AddPeer(OTHER)), actionsOfAdding(OTHER));
        assertEquals(List.of(), actionsOfAdding(OTHER));
        assertEquals(Optional.of(OTHER), spawners.find(OTHER.id()));
    }

    @Test
    void neitherItselfNorAnEvictedSpawnerIsAdded() {
        evicted.evict(OTHER.id(), new SpawnerTurn(0));
        assertEquals(List.of(), actionsOfAdding(SELF));
        assertEquals(List.of(), actionsOfAdding(OTHER));
        assertEquals(0, spawners.entries());
    }

    @Test
    void aSpawnerThatWasRemovedIsUnknown() {
        spawners.add(OTHER, new SpawnerTurn(0));
        assertEquals(Optional.of(OTHER), spawners.remove(OTHER.id()));
        assertFalse(spawners.has(OTHER.id()));
        assertEquals(Optional.empty(), spawners.remove(OTHER.id()));
    }

    @Test
    void theyAreInTheOrderOfTheirIds() {
        spawners.add(spawner(5), new SpawnerTurn(0));
        spawners.add(spawner(3), new SpawnerTurn(0));
        assertEquals(List.of(spawner(3), spawner(5)), List.copyOf(spawners.members()));
    }
}
