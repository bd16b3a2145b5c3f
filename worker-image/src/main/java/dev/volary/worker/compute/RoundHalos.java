// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.compute;

import dev.volary.mesh.link.NewestWinsLink;
import dev.volary.protocol.halo.RoundGate;
import java.util.List;

/**
 * The incoming halos of a block that works in rounds. A source may be one round ahead, so for each edge there is the halo in
 * use and a newer one that waits for its round. Confined to the compute thread.
 */
final class RoundHalos {
    private final List<NewestWinsLink> links;
    private final LinkHalos halos;
    private final RoundGate gate;
    private final Arrival arrival;
    private final double[][] waiting;
    private final boolean[] waits;
    private final long[] rounds;
    private final long[] arrived;

    /** Called when a link has delivered a halo, whether it is put into use or not. */
    interface Arrival {
        void arrived(int edge, int phase);
    }

    /**
     * @param links incoming edges, in the order of the solver's halos
     * @param halos those in use
     */
    RoundHalos(List<NewestWinsLink> links, LinkHalos halos, RoundGate gate, Arrival arrival) {
        this.links = links;
        this.halos = halos;
        this.gate = gate;
        this.arrival = arrival;
        waiting = new double[links.size()][];
        waits = new boolean[links.size()];
        rounds = new long[links.size()];
        arrived = new long[links.size()];
        for (int k = 0; k < waiting.length; k++) {
            waiting[k] = new double[links.get(k).length()];
        }
    }

    /** Takes what has arrived and puts the halos of this round into use. */
    void take(long completed) {
        for (int k = 0; k < waiting.length; k++) {
            NewestWinsLink link = links.get(k);
            if (link.take()) {
                useAwaited(k, completed);
                System.arraycopy(link.values(), 0, waiting[k], 0, waiting[k].length);
                waits[k] = true;
                rounds[k] = link.iteration();
                arrived[k] = link.arrivedNanos();
                gate.seen(rounds[k]);
                arrival.arrived(k, link.coarseVersion());
            }
        }
        for (int k = 0; k < waiting.length; k++) {
            useAwaited(k, completed);
        }
    }

    /** Puts the newest halos into use, whatever their round is. */
    void takeNewest(long completed) {
        take(completed);
        for (int k = 0; k < waiting.length; k++) {
            use(k, completed);
        }
    }

    /** An iteration has read the halos in use. */
    void read() {
        for (int k = 0; k < waiting.length; k++) {
            halos.stale(k);
        }
    }

    private void useAwaited(int k, long completed) {
        if (gate.isAwaited(k)) {
            use(k, completed);
        }
    }

    private void use(int k, long completed) {
        if (waits[k]) {
            waits[k] = false;
            waiting[k] = halos.exchanged(k, waiting[k], arrived[k], completed);
            gate.use(k, rounds[k]);
        }
    }
}
