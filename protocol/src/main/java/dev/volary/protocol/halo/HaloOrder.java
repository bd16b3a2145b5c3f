// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.halo;

import dev.volary.protocol.model.BlockVersion;
import dev.volary.protocol.model.GroupTerm;
import dev.volary.protocol.model.Incarnation;
import dev.volary.protocol.model.WorkerId;

/**
 * Order of the halos of one edge: the newest key wins, and an incarnation older than a known one is fenced
 * (docs/explanation/replacement-and-fencing.md, "incarnations", D-2 and D-3). Keys are compared by incarnation, then step, then
 * iteration, so a restored block with a smaller iteration counter takes effect at once.
 *
 * <p>Thread safe: the network offers, the agent raises. Allocates nothing.
 */
public final class HaloOrder {

    /** What to do with a halo. */
    public enum Verdict {
        /** Newer than all before: take it. */
        NEWER,
        /** Not newer: forget it. */
        OLD,
        /** From a stale incarnation: forget it and fence the sender. */
        FENCED
    }

    private long n = Long.MIN_VALUE;
    private long owner;
    private int counter;
    private boolean taken;
    private int step;
    private long iteration;

    /**
     * Offers the key of a halo that arrived.
     *
     * @param n the group term's number
     * @param owner value of the id of the group term's owner
     * @param counter the incarnation's counter
     * @param step time step
     * @param iteration iterations completed by the sender
     */
    public synchronized Verdict offer(long n, long owner, int counter, int step, long iteration) {
        int order = compareIncarnation(n, owner, counter);
        if (order < 0) {
            return Verdict.FENCED;
        }
        if (order == 0
                && taken
                && (step < this.step || (step == this.step && Long.compare(iteration, this.iteration) <= 0))) {
            return Verdict.OLD;
        }
        this.n = n;
        this.owner = owner;
        this.counter = counter;
        this.step = step;
        this.iteration = iteration;
        taken = true;
        return Verdict.NEWER;
    }

    /** As {@link #offer(long, long, int, int, long)}. */
    public Verdict offer(BlockVersion key) {
        Incarnation inc = key.incarnation();
        return offer(inc.term().n(), inc.term().owner().value(), inc.counter(), key.step(), key.iteration());
    }

    /** The directory names this incarnation: older ones are fenced from now on. */
    public synchronized void raise(Incarnation newest) {
        long newN = newest.term().n();
        long newOwner = newest.term().owner().value();
        if (compareIncarnation(newN, newOwner, newest.counter()) > 0) {
            n = newN;
            owner = newOwner;
            counter = newest.counter();
            taken = false;
        }
    }

    /** The newest incarnation offered or raised; the least there is before. */
    public synchronized Incarnation newest() {
        return new Incarnation(new GroupTerm(n, new WorkerId(owner)), counter);
    }

    /** Offered incarnation against the newest known one. */
    private int compareIncarnation(long n, long owner, int counter) {
        if (n != this.n) {
            return Long.compare(n, this.n);
        }
        if (owner != this.owner) {
            return Long.compare(owner, this.owner);
        }
        return Integer.compare(counter, this.counter);
    }
}
