// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.halo;

import dev.volary.mesh.link.BlockPair;
import dev.volary.mesh.link.MeshListener;
import dev.volary.mesh.link.NewestWinsLink;
import dev.volary.protocol.halo.HaloOrder;
import dev.volary.protocol.model.Incarnation;

/** Receiving end of the asynchronous scheme. */
public final class NewestWinsReceiver extends LinkReceiver implements NewestWinsLink {
    private final TripleBuffer slot;
    private final HaloOrder order = new HaloOrder();

    public NewestWinsReceiver(BlockPair edge, int length, MeshListener listener) {
        super(edge, length, listener);
        slot = new TripleBuffer(length);
    }

    @Override
    HaloBuffer buffer(Incarnation incarnation, int step, long iteration) {
        return slot.back();
    }

    @Override
    Verdict commit(HaloBuffer filled, Incarnation incarnation, int step, long iteration, int coarse, long nanos) {
        HaloOrder.Verdict verdict = order.offer(
                incarnation.term().n(), incarnation.term().owner().value(), incarnation.counter(), step, iteration);
        return switch (verdict) {
            case NEWER -> {
                filled.name(incarnation, step, iteration, coarse, nanos);
                if (slot.push()) {
                    conflated.incrementAndGet();
                }
                yield Verdict.TAKEN;
            }
            case OLD -> Verdict.OLD;
            case FENCED -> Verdict.FENCED;
        };
    }

    @Override
    public void accept(Incarnation oldest) {
        order.raise(oldest);
    }

    @Override
    public boolean take() {
        if (!slot.pull()) {
            return false;
        }
        using(slot.front());
        return true;
    }

    @Override
    public boolean present() {
        return slot.front().incarnation != null;
    }

    @Override
    public double[] values() {
        return slot.front().values;
    }

    @Override
    public Incarnation incarnation() {
        return named(slot.front(), edge);
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
