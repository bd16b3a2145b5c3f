// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.halo;

/**
 * Decides which halo of each source a block in rounds reads. A source may be one round ahead, so for each source there is the halo
 * in use and a newer one that waits for its round. If there are time steps, a source may also have committed first, and then its
 * halo waits for this block's commit. Pure: the caller keeps the values. Confined to one thread.
 */
public final class RoundSlots {
    /**
     * Newest halos of a source that a link keeps until they are sent, and until they are read: a block that has published a round may
     * get the halo of that round and, as the source may be one round ahead, that of the next, before it looks.
     */
    public static final int HALOS_KEPT = 2;

    private final RoundGate gate;
    private final boolean[] waits;
    /** The time steps of the halos that wait. */
    private final int[] steps;

    private final long[] rounds;
    private int step;

    /**
     * @param sources incoming edges
     * @param step the time step of the block; 0 for a stationary problem
     */
    RoundSlots(RoundGate gate, int sources, int step) {
        this.gate = gate;
        this.step = step;
        waits = new boolean[sources];
        steps = new int[sources];
        rounds = new long[sources];
    }

    /** A time step begins. Halos that came before stay, if they belong to it. */
    void stepBegun(int begun) {
        step = begun;
        for (int k = 0; k < waits.length; k++) {
            waits[k] &= steps[k] >= step;
            if (isReadable(k)) {
                gate.seen(rounds[k]);
            }
        }
    }

    /**
     * A halo has arrived. A halo of an earlier step than the block's, or than that of the halo which waits, is dropped.
     *
     * @return whether it waits from now on, in place of the one that did
     */
    public boolean offer(int source, int haloStep, long round) {
        if (StepRelation.of(step, haloStep) == StepRelation.BEHIND || (waits[source] && haloStep < steps[source])) {
            return false;
        }
        waits[source] = true;
        steps[source] = haloStep;
        rounds[source] = round;
        if (isReadable(source)) {
            gate.seen(round);
        }
        return true;
    }

    /** Whether a halo of this block's step waits. */
    public boolean isReadable(int source) {
        return waits[source] && StepRelation.of(step, steps[source]) == StepRelation.OWN;
    }

    /** Puts the halo that waits into use if the one in use is older than the round; returns whether it does. */
    public boolean useAwaited(int source) {
        return gate.isAwaited(source) && useNewest(source);
    }

    /** Puts the halo that waits into use, whatever its round is; returns whether there is one that can be read. */
    public boolean useNewest(int source) {
        if (!isReadable(source)) {
            return false;
        }
        waits[source] = false;
        gate.use(source, rounds[source]);
        return true;
    }
}
