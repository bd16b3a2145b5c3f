// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.halo;

import dev.volary.mesh.link.BlockPair;
import dev.volary.protocol.model.Incarnation;
import org.jspecify.annotations.Nullable;

/** Sending end of the asynchronous scheme; one or two halos wait to be sent. */
public final class NewestWinsSender extends LinkSender {
    private final HaloSlot slot;
    private boolean repeat;

    /**
     * @param waiting halos that can wait, 1 or 2
     */
    public NewestWinsSender(BlockPair edge, int length, int waiting, BulkPlane plane) {
        super(edge, length, plane);
        slot = new HaloSlot(length, waiting);
    }

    @Override
    public double[] begin() {
        return slot.back().values;
    }

    @Override
    public void publish(Incarnation incarnation, int step, long iteration, int coarseVersion, boolean urgent) {
        HaloBuffer frame = slot.back();
        frame.label(incarnation, step, iteration, coarseVersion, 0);
        boolean delivered = deliverLocally(frame.values, incarnation, step, iteration, coarseVersion);
        if (slot.push() && !delivered) {
            conflated.incrementAndGet();
        }
        if (!delivered) {
            requestFlush(urgent);
        }
    }

    @Override
    public boolean resend(int step, long iteration) {
        resend();
        return true;
    }

    @Override
    boolean hasPending() {
        return repeat || slot.fresh();
    }

    @Override
    @Nullable HaloBuffer nextFrame() {
        // What is to be repeated comes before the one that waits, unless that makes it superfluous.
        if (!repeat || slot.isFull()) {
            slot.pull();
        }
        repeat = false;
        return slot.front();
    }

    @Override
    void releaseFrame() {}

    @Override
    void markUnsent() {
        repeat = slot.front().incarnation != null;
    }
}
