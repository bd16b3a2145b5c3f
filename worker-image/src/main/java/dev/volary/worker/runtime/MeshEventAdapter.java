// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.runtime;

import dev.volary.mesh.link.MeshListener;
import dev.volary.protocol.machine.WorkerEvent;
import dev.volary.protocol.message.Message;
import dev.volary.protocol.model.WorkerId;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * Takes what the mesh delivers and hands it to the machine, also before the machine exists.
 *
 * @param <E> what happens to the machine
 */
public abstract class MeshEventAdapter<E> implements MeshListener {
    private final ArrayDeque<E> beforeRunner = new ArrayDeque<>();
    private final HostChannel host;
    private volatile @Nullable MachineRunner<E, ?> runner;

    /**
     * @param host is notified of each message or acknowledgement of another worker
     */
    protected MeshEventAdapter(HostChannel host) {
        this.host = host;
    }

    /** What happens to workers of both roles, as the event of this one. */
    public abstract E toEvent(WorkerEvent event);

    /** A message for this worker arrived. */
    protected abstract void deliver(WorkerId from, Message message);

    /** A message that a worker of this role does not take: its sender is wrong about the role, or of another version. */
    protected static void reportDropped(WorkerId from, Message message) {
        System.err.println("dropped a " + message.getClass().getSimpleName() + " of " + from
                + ", which is for the other role; this is a defect of the sender");
    }

    public void connect(MachineRunner<E, ?> newRunner) {
        synchronized (beforeRunner) {
            beforeRunner.forEach(newRunner::offer);
            beforeRunner.clear();
            runner = newRunner;
        }
    }

    public final void offer(E event) {
        MachineRunner<E, ?> there = runner;
        if (there == null) {
            synchronized (beforeRunner) {
                there = runner;
                if (there == null) {
                    beforeRunner.add(event);
                    return;
                }
            }
        }
        there.offer(event);
    }

    @Override
    public final void received(WorkerId from, Message message) {
        host.receivedFrom(from);
        deliver(from, message);
    }

    @Override
    public final void connectionRefused(WorkerId peer) {
        StageTracer.mark("refused", peer);
        offer(toEvent(new WorkerEvent.ConnectionReset(peer)));
    }

    @Override
    public final void acknowledged(WorkerId peer, long sentAt) {
        host.receivedFrom(peer);
        offer(toEvent(new WorkerEvent.Acknowledged(peer, sentAt)));
    }

    @Override
    public final void messageRefused(WorkerId from, Message message) {
        host.messageRefused();
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
