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
        frame.name(incarnation, step, iteration, coarseVersion, 0);
        boolean here = deliverHere(frame.values, incarnation, step, iteration, coarseVersion);
        if (slot.push() && !here) {
            conflated.incrementAndGet();
        }
        if (!here) {
            signal(urgent);
        }
    }

    @Override
    public boolean resend(int step, long iteration) {
        resend();
        return true;
    }

    @Override
    boolean pending() {
        return repeat || slot.fresh();
    }

    @Override
    @Nullable HaloBuffer next() {
        repeat = false;
        slot.pull();
        return slot.front();
    }

    @Override
    void done() {}

    @Override
    void again() {
        repeat = slot.front().incarnation != null;
    }
}
