// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.convergence;

/**
 * When a block of an asynchronous iteration reports its hint at once: it has come within the tolerance, for the first time in a
 * step or again after it was far above. A hint that moves around the tolerance is reported once.
 *
 * <p>Confined to the thread that iterates the block.
 */
public final class NearConvergence {
    /** A hint above this many times the tolerance is far above. */
    private static final double FAR = 10;

    private boolean isReported;

    /** The block begins a step. */
    public void beginStep() {
        isReported = false;
    }

    /** An iteration is done; returns whether its hint is to be reported at once. */
    public boolean iterated(double hint, double tolerance) {
        if (hint > FAR * tolerance) {
            isReported = false;
        } else if (!isReported && hint <= tolerance) {
            isReported = true;
            return true;
        }
        return false;
    }
}
