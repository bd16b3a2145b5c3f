// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.halo;

import dev.volary.mesh.link.BlockPair;
import dev.volary.mesh.link.MeshListener;
import dev.volary.mesh.link.NewestWinsLink;
import dev.volary.protocol.halo.HaloOrder;
import dev.volary.protocol.model.Incarnation;

/** Receiving end of the asynchronous scheme; one or two halos wait to be taken. */
public final class NewestWinsReceiver extends LinkReceiver implements NewestWinsLink {
    private final HaloSlot slot;
    private final HaloOrder order = new HaloOrder();

    /**
     * @param waiting halos that can wait, 1 or 2
     */
    public NewestWinsReceiver(BlockPair edge, int length, int waiting, MeshListener listener) {
        super(edge, length, listener);
        slot = new HaloSlot(length, waiting);
    }

    @Override
    HaloBuffer buffer(Incarnation incarnation, int step, long iteration) {
        return slot.back();
    }

    @Override
    Admission commit(HaloBuffer filled, Incarnation incarnation, int step, long iteration, int coarse, long nanos) {
        HaloOrder.Verdict verdict = order.offer(
                incarnation.term().n(), incarnation.term().owner().value(), incarnation.counter(), step, iteration);
        return switch (verdict) {
            case NEWER -> {
                filled.label(incarnation, step, iteration, coarse, nanos);
                if (slot.push()) {
                    conflated.incrementAndGet();
                }
                yield Admission.ADMITTED;
            }
            case OLD -> Admission.STALE;
            case FENCED -> Admission.FENCED;
        };
    }

    @Override
    public void acceptFrom(Incarnation oldest) {
        order.raise(oldest);
    }

    @Override
    public boolean take() {
        if (!slot.pull()) {
            return false;
        }
        setInUse(slot.front());
        return true;
    }

    @Override
    public boolean hasValues() {
        return slot.front().incarnation != null;
    }

    @Override
    public double[] values() {
        return slot.front().values;
    }

    @Override
    public Incarnation incarnation() {
        return incarnationOf(slot.front(), edge);
    }

    @Override
    public int step() {
        return slot.front().step;
    }

    @Override
    public long iteration() {
        return slot.front().iteration;
    }

    @Override
    public int coarseVersion() {
        return slot.front().coarseVersion;
    }

    @Override
    public long arrivedNanos() {
        return slot.front().nanos;
    }
}
