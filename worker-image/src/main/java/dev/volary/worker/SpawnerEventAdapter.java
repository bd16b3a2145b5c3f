// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker;

import dev.volary.protocol.Message;
import dev.volary.protocol.SpawnerEvent;
import dev.volary.protocol.ToSpawner;
import dev.volary.protocol.WorkerEvent;
import dev.volary.protocol.WorkerId;
import java.util.function.Consumer;

/** Takes what the mesh delivers to a spawner: control messages only, because a spawner serves no block. */
final class SpawnerEventAdapter extends MeshEventAdapter<SpawnerEvent> {

    /**
     * @param heardFrom told of each sign of life of another worker; must not block
     */
    SpawnerEventAdapter(Consumer<WorkerId> heardFrom) {
        super(heardFrom);
    }

    @Override
    SpawnerEvent of(WorkerEvent event) {
        return event;
    }

    @Override
    void deliver(WorkerId from, Message message) {
        if (message instanceof ToSpawner mine) {
            offer(new SpawnerEvent.Received(from, mine));
        } else {
            dropped(from, message);
        }
    }
}
