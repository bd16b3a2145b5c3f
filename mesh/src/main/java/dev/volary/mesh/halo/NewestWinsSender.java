// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.halo;

import dev.volary.mesh.link.BlockPair;
import dev.volary.protocol.model.Incarnation;
import org.jspecify.annotations.Nullable;

/** Sending end of the asynchronous scheme. */
public final class NewestWinsSender extends LinkSender {
    private final TripleBuffer slot;
    private boolean repeat;

    public NewestWinsSender(BlockPair edge, int length, BulkPlane plane) {
        super(edge, length, plane);
        slot = new TripleBuffer(length);
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
        repeat = false;
        slot.pull();
        return slot.front();
    }

    @Override
    void releaseFrame() {}

    @Override
    void markUnsent() {
        repeat = slot.front().incarnation != null;
    }
}
