// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.convergence;

import java.util.Arrays;
import java.util.Optional;

/**
 * Local convergence of one block in an asynchronous iteration (docs/explanation/convergence-detection.md, "pseudo periods"):
 * its hint is small, and stays so while from each of its sources a newer halo has come, and one iteration more. So silence
 * never looks like convergence. In a verification phase only halos count whose senders have entered that phase before.
 *
 * <p>Even phases are normal, odd ones verify. Confined to the thread that iterates the block.
 */
public final class LocalConvergence {
    /** A block that was under the bound leaves it at this multiple, so that jitter does not fail verifications. */
    private static final double HYSTERESIS = 4;

    private final double bound;
    private final boolean[] newer;
    private int phase;
    private boolean under;
    private boolean begun;
    private boolean ended;
    private boolean converged;
    private boolean reported;

    /**
     * @param sources incoming edges
     * @param bound largest hint of a block that may have converged
     */
    public LocalConvergence(int sources, double bound) {
        this.bound = bound;
        this.newer = new boolean[sources];
    }

    /** The phase in force; halos sent from now on carry it. */
    public int phase() {
        return phase;
    }

    /** A phase begins. */
    public void enter(int newPhase) {
        phase = newPhase;
        converged &= isVerifying();
        reported = false;
        reset();
    }

    /** A newer halo of this edge is in use, sent in that phase. */
    public void halo(int edge, int sentIn) {
        newer[edge] |= !isVerifying() || sentIn >= phase;
    }

    /**
     * An iteration is done; returns at most once in a phase how it went: true if the block has converged for a whole
     * pseudo-period, false if it failed to be verified.
     */
    public Optional<Boolean> iterated(double hint) {
        under = hint <= (under ? HYSTERESIS * bound : bound);
        converged &= under;
        if (reported) {
            return Optional.empty();
        }
        if (isVerifying() && !converged) {
            return report(false);
        }
        if (!under) {
            reset();
        } else if (!begun) {
            reset();
            begun = true;
        } else if (ended) {
            converged = true;
            return report(true);
        } else {
            ended = allNewer();
        }
        return Optional.empty();
    }

    private boolean isVerifying() {
        return (phase & 1) == 1;
    }

    private Optional<Boolean> report(boolean how) {
        reported = true;
        return Optional.of(how);
    }

    private boolean allNewer() {
        for (boolean each : newer) {
            if (!each) {
                return false;
            }
        }
        return true;
    }

    private void reset() {
        begun = false;
        ended = false;
        Arrays.fill(newer, false);
    }
}
