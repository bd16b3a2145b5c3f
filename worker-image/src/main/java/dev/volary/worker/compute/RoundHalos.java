// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.compute;

import dev.volary.mesh.link.NewestWinsLink;
import dev.volary.protocol.halo.RoundSlots;
import java.util.List;

/**
 * The values of the incoming halos of a block that works in rounds: for each edge those in use, and newer ones that wait. Which
 * of them are read is decided by {@link RoundSlots}. Confined to the compute thread.
 */
final class RoundHalos {
    private final List<NewestWinsLink> links;
    private final LinkHalos halos;
    private final RoundSlots slots;
    private final Arrival arrival;
    private final double[][] waiting;
    private final long[] arrived;

    /** Called when a link has delivered a halo, whether it is put into use or not. */
    interface Arrival {
        void arrived(int edge, int phase);
    }

    /**
     * @param links incoming edges, in the order of the solver's halos
     * @param halos those in use
     */
    RoundHalos(List<NewestWinsLink> links, LinkHalos halos, RoundSlots slots, Arrival arrival) {
        this.links = links;
        this.halos = halos;
        this.slots = slots;
        this.arrival = arrival;
        waiting = new double[links.size()][];
        arrived = new long[links.size()];
        for (int k = 0; k < waiting.length; k++) {
            waiting[k] = new double[links.get(k).length()];
        }
    }

    /** Takes what has arrived and puts the halos of this round into use. */
    void take(long completed) {
        for (int k = 0; k < waiting.length; k++) {
            NewestWinsLink link = links.get(k);
            while (link.take()) {
                useAwaited(k, completed);
                keep(k, link);
            }
        }
        for (int k = 0; k < waiting.length; k++) {
            useAwaited(k, completed);
        }
    }

    private void keep(int k, NewestWinsLink link) {
        if (!slots.offer(k, link.step(), link.iteration())) {
            return;
        }
        System.arraycopy(link.values(), 0, waiting[k], 0, waiting[k].length);
        arrived[k] = link.arrivedNanos();
        if (slots.isReadable(k)) {
            arrival.arrived(k, link.coarseVersion());
        }
    }

    /** Puts the newest halos into use, whatever their round is. */
    void useNewest(long completed) {
        for (int k = 0; k < waiting.length; k++) {
            if (slots.useNewest(k)) {
                use(k, completed);
            }
        }
    }

    /** An iteration has read the halos in use. */
    void read() {
        for (int k = 0; k < waiting.length; k++) {
            halos.stale(k);
        }
    }

    private void useAwaited(int k, long completed) {
        if (slots.useAwaited(k)) {
            use(k, completed);
        }
    }

    private void use(int k, long completed) {
        waiting[k] = halos.exchanged(k, waiting[k], arrived[k], completed);
    }
}
