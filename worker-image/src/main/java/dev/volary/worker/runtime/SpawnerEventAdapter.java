// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.runtime;

import dev.volary.protocol.machine.SpawnerEvent;
import dev.volary.protocol.machine.WorkerEvent;
import dev.volary.protocol.message.Message;
import dev.volary.protocol.message.ToSpawner;
import dev.volary.protocol.model.WorkerId;

/** Takes what the mesh delivers to a spawner: control messages only, because a spawner serves no block. */
public final class SpawnerEventAdapter extends MeshEventAdapter<SpawnerEvent> {

    /**
     * @param host is notified of each message or acknowledgement of another worker
     */
    public SpawnerEventAdapter(HostChannel host) {
        super(host);
    }

    @Override
    public SpawnerEvent toEvent(WorkerEvent event) {
        return event;
    }

    @Override
    protected void deliver(WorkerId from, Message message) {
        if (message instanceof ToSpawner mine) {
            offer(new SpawnerEvent.Received(from, mine));
        } else {
            reportDropped(from, message);
        }
    }
}
