// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.compute;

import dev.volary.mesh.link.NewestWinsLink;
import dev.volary.protocol.halo.RoundGate;
import dev.volary.protocol.halo.StepRelation;
import java.util.List;

/**
 * The incoming halos of a block that works in rounds. A source may be one round ahead, so for each edge there is the halo in
 * use and a newer one that waits for its round. If there are time steps, a source may also have committed first, and then its
 * halo waits for this block's commit. Confined to the compute thread.
 */
final class RoundHalos {
    private final List<NewestWinsLink> links;
    private final LinkHalos halos;
    private final RoundGate gate;
    private final Arrival arrival;
    private final double[][] waiting;
    private final boolean[] waits;
    /** The time steps of the halos that wait. */
    private final int[] steps;

    private final long[] rounds;
    private final long[] arrived;
    private int step;

    /** Called when a link has delivered a halo, whether it is put into use or not. */
    interface Arrival {
        void arrived(int edge, int phase);
    }

    /**
     * @param links incoming edges, in the order of the solver's halos
     * @param halos those in use
     * @param step the time step of the block; 0 for a stationary problem
     */
    RoundHalos(List<NewestWinsLink> links, LinkHalos halos, RoundGate gate, int step, Arrival arrival) {
        this.links = links;
        this.halos = halos;
        this.gate = gate;
        this.step = step;
        this.arrival = arrival;
        waiting = new double[links.size()][];
        waits = new boolean[links.size()];
        steps = new int[links.size()];
        rounds = new long[links.size()];
        arrived = new long[links.size()];
        for (int k = 0; k < waiting.length; k++) {
            waiting[k] = new double[links.get(k).length()];
        }
    }

    /** A time step begins. Halos that came before stay, if they belong to it. */
    void stepBegun(int begun) {
        step = begun;
        for (int k = 0; k < waiting.length; k++) {
            waits[k] &= steps[k] >= step;
            if (isReadable(k)) {
                gate.seen(rounds[k]);
            }
        }
    }

    private boolean isReadable(int k) {
        return waits[k] && StepRelation.of(step, steps[k]) == StepRelation.OWN;
    }

    /** Takes what has arrived and puts the halos of this round into use. */
    void take(long completed) {
        for (int k = 0; k < waiting.length; k++) {
            NewestWinsLink link = links.get(k);
            if (link.take()) {
                useAwaited(k, completed);
                keep(k, link);
            }
        }
        for (int k = 0; k < waiting.length; k++) {
            useAwaited(k, completed);
        }
    }

    private void keep(int k, NewestWinsLink link) {
        if (StepRelation.of(step, link.step()) == StepRelation.BEHIND || (waits[k] && link.step() < steps[k])) {
            return;
        }
        System.arraycopy(link.values(), 0, waiting[k], 0, waiting[k].length);
        waits[k] = true;
        steps[k] = link.step();
        rounds[k] = link.iteration();
        arrived[k] = link.arrivedNanos();
        if (isReadable(k)) {
            gate.seen(rounds[k]);
            arrival.arrived(k, link.coarseVersion());
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
        if (isReadable(k)) {
            waits[k] = false;
            waiting[k] = halos.exchanged(k, waiting[k], arrived[k], completed);
            gate.use(k, rounds[k]);
        }
    }
}
