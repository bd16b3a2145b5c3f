// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.daemon;

import dev.volary.mesh.link.RecordedHalo;
import dev.volary.protocol.machine.DaemonEvent;
import dev.volary.protocol.machine.WorkerEvent;
import dev.volary.protocol.message.Message;
import dev.volary.protocol.message.ToDaemon;
import dev.volary.protocol.model.BlockVersion;
import dev.volary.protocol.model.Incarnation;
import dev.volary.protocol.model.WorkerId;
import dev.volary.worker.runtime.HostChannel;
import dev.volary.worker.runtime.MeshEventAdapter;
import org.jspecify.annotations.Nullable;

/** Takes what the mesh delivers to a daemon, halos included. */
public final class DaemonEventAdapter extends MeshEventAdapter<DaemonEvent> {
    private volatile @Nullable DaemonRuntime role;

    /**
     * @param host is notified of each message or acknowledgement of another worker
     */
    public DaemonEventAdapter(HostChannel host) {
        super(host);
    }

    /** Recorded halos go to this runtime from now on. */
    public void connect(DaemonRuntime newRole) {
        role = newRole;
    }

    @Override
    public DaemonEvent toEvent(WorkerEvent event) {
        return event;
    }

    @Override
    protected void deliver(WorkerId from, Message message) {
        if (message instanceof ToDaemon mine) {
            offer(new DaemonEvent.Received(from, mine));
        } else {
            reportDropped(from, message);
        }
    }

    @Override
    public void firstHalo(int from, int to, BlockVersion key) {
        offer(new DaemonEvent.HaloArrived(from, to));
    }

    @Override
    public void recordedHalo(RecordedHalo halo) {
        DaemonRuntime there = role;
        if (there != null) {
            there.recordedHalo(halo);
        }
    }

    @Override
    public void staleHalo(int block, Incarnation incarnation, Incarnation newest, WorkerId sender) {
        offer(new DaemonEvent.StaleHaloArrived(block, incarnation, newest, sender));
    }
}
