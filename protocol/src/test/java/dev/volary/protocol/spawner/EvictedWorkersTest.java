// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.spawner;

import static dev.volary.protocol.Samples.messagesTo;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.protocol.machine.SpawnerTurn;
import dev.volary.protocol.message.RegistrationMessage;
import dev.volary.protocol.model.WorkerId;
import java.util.List;
import org.junit.jupiter.api.Test;

class EvictedWorkersTest {
    private final EvictedWorkers evicted = new EvictedWorkers();

    @Test
    void anEvictedWorkerGetsANoticeAndIsRemembered() {
        SpawnerTurn turn = new SpawnerTurn(0);
        evicted.evict(new WorkerId(11), turn);
        assertEquals(List.of(new RegistrationMessage.Evicted()), messagesTo(new WorkerId(11), turn));
        assertTrue(evicted.contains(new WorkerId(11)));
        assertFalse(evicted.contains(new WorkerId(12)));
    }

    @Test
    void onlyTheLast64AreRemembered() {
        for (long id = 1; id <= 65; id++) {
            evicted.evict(new WorkerId(id), new SpawnerTurn(0));
        }
        assertFalse(evicted.contains(new WorkerId(1)));
        assertTrue(evicted.contains(new WorkerId(2)));
        assertEquals(64, evicted.entries());
    }
}
