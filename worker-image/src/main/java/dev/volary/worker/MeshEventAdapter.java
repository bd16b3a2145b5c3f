// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker;

import dev.volary.mesh.MeshListener;
import dev.volary.mesh.RecordedHalo;
import dev.volary.protocol.BlockVersion;
import dev.volary.protocol.Event;
import dev.volary.protocol.Incarnation;
import dev.volary.protocol.Message;
import dev.volary.protocol.WorkerId;
import java.util.ArrayDeque;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Takes what the mesh delivers, also before the machine exists. */
final class MeshEventAdapter implements MeshListener {
    private final ArrayDeque<Event> early = new ArrayDeque<>();
    private final Consumer<WorkerId> heardFrom;
    private volatile @Nullable MachineRunner agent;
    private volatile @Nullable RoleRuntime role;

    /**
     * @param heardFrom told of each sign of life of another worker; must not block
     */
    MeshEventAdapter(Consumer<WorkerId> heardFrom) {
        this.heardFrom = heardFrom;
    }

    void connect(MachineRunner newAgent, RoleRuntime newRole) {
        synchronized (early) {
            role = newRole;
            early.forEach(newAgent::offer);
            early.clear();
            agent = newAgent;
        }
    }

    void offer(Event event) {
        MachineRunner there = agent;
        if (there == null) {
            synchronized (early) {
                there = agent;
                if (there == null) {
                    early.add(event);
                    return;
                }
            }
        }
        there.offer(event);
    }

    @Override
    public void received(WorkerId from, Message message) {
        heardFrom.accept(from);
        offer(new Event.Received(from, message));
    }

    @Override
    public void firstHalo(int from, int to, BlockVersion key) {
        offer(new Event.HaloArrived(from, to));
    }

    @Override
    public void recordedHalo(RecordedHalo halo) {
        RoleRuntime there = role;
        if (there != null) {
            there.recordedHalo(halo);
        }
    }

    @Override
    public void oldHalo(int block, Incarnation incarnation, Incarnation newest, WorkerId sender) {
        offer(new Event.StaleHaloArrived(block, incarnation, newest, sender));
    }

    @Override
    public void connectionRefused(WorkerId peer) {
        StageTracer.mark("refused", peer);
        offer(new Event.ConnectionReset(peer));
    }

    @Override
    public void acknowledged(WorkerId peer, long sentAt) {
        heardFrom.accept(peer);
        offer(new Event.Acknowledged(peer, sentAt));
    }

    @Override
    public void refused(String peer, String reason) {
        System.err.println("refused " + peer + ": " + reason);
    }

    @Override
    public void corruptFrame(String peer, String reason) {
        System.err.println("dropped a frame of " + peer + ": " + reason);
    }

    @Override
    public void disconnected(WorkerId peer, String reason) {
        StageTracer.mark("disconnected", peer);
        System.err.println("lost the connection to " + peer + ": " + reason);
    }
}
