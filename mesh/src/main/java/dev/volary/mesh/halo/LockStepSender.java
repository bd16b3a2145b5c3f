// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.halo;

import dev.volary.mesh.link.BlockPair;
import dev.volary.protocol.model.Incarnation;
import org.jspecify.annotations.Nullable;

/**
 * Sending end of the synchronous scheme: the two newest iterations are kept and sent in order. Its compute thread may wait for
 * the time in which one frame is laid out for the transport.
 */
public final class LockStepSender extends LinkSender {
    private final Object lock = new Object();
    private final HaloBuffer[] frames;
    private final boolean[] unsent = new boolean[3];
    private int filling;
    private int previous = 1;
    private int newest = 2;
    private int sending = -1;

    public LockStepSender(BlockPair edge, int length, BulkPlane plane) {
        super(edge, length, plane);
        frames = new HaloBuffer[] {new HaloBuffer(length), new HaloBuffer(length), new HaloBuffer(length)};
    }

    @Override
    public double[] begin() {
        return frames[filling].values;
    }

    @Override
    public void publish(Incarnation incarnation, int step, long iteration, int coarseVersion, boolean urgent) {
        frames[filling].label(incarnation, step, iteration, coarseVersion, 0);
        boolean delivered = deliverLocally(frames[filling].values, incarnation, step, iteration, coarseVersion);
        synchronized (lock) {
            awaitSent(previous);
            if (unsent[previous]) {
                unsent[previous] = false;
                conflated.incrementAndGet();
            }
            unsent[filling] = !delivered;
            int freed = previous;
            previous = newest;
            newest = filling;
            filling = freed;
        }
        if (!delivered) {
            requestFlush(urgent);
        }
    }

    private void awaitSent(int index) {
        boolean interrupted = false;
        while (sending == index) {
            try {
                lock.wait();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public boolean resend(int step, long iteration) {
        synchronized (lock) {
            for (int index : new int[] {previous, newest}) {
                if (frames[index].holds(step, iteration)) {
                    unsent[index] = true;
                    requestFlush(true);
                    return true;
                }
            }
            return false;
        }
    }

    @Override
    boolean hasPending() {
        synchronized (lock) {
            return unsent[previous] || unsent[newest];
        }
    }

    @Override
    @Nullable HaloBuffer nextFrame() {
        synchronized (lock) {
            int index = unsent[previous] ? previous : newest;
            if (!unsent[index]) {
                return null;
            }
            unsent[index] = false;
            sending = index;
            return frames[index];
        }
    }

    @Override
    void releaseFrame() {
        synchronized (lock) {
            sending = -1;
            lock.notifyAll();
        }
    }

    @Override
    void markUnsent() {
        synchronized (lock) {
            unsent[previous] = frames[previous].incarnation != null;
            unsent[newest] = frames[newest].incarnation != null;
        }
    }
}
