// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.spawner;

import dev.volary.protocol.machine.SpawnerTurn;
import dev.volary.protocol.message.RegistrationMessage;
import dev.volary.protocol.model.WorkerId;
import java.util.LinkedHashSet;

/** Evicts workers that were declared dead, and remembers the last ones, so that they are evicted again if they come back. */
final class EvictedWorkers {
    private static final int MOST = 64;

    private final LinkedHashSet<WorkerId> workers = new LinkedHashSet<>();

    void evict(WorkerId worker, SpawnerTurn turn) {
        if (workers.size() >= MOST) {
            workers.removeFirst();
        }
        workers.add(worker);
        turn.send(worker, new RegistrationMessage.Evicted());
    }

    boolean contains(WorkerId worker) {
        return workers.contains(worker);
    }

    int entries() {
        return workers.size();
    }
}
