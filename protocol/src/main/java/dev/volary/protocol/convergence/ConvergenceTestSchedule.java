// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.convergence;

/**
 * After which iterations blocks in lock-step are tested for convergence: the same ones in every run. A block whose hint is
 * small there waits until it is known whether all are, so the vector that a snapshot then records is that of one iteration,
 * and a run ends with the same bits whatever happened on its way. The gaps grow with the iterations that are behind, so that
 * the waits and the iterations in excess stay a small share.
 */
public final class ConvergenceTestSchedule {
    /** Tests are twelve iterations away from where checkpoints may be taken: a block knows its hint again when it is tested. */
    private static final long FIRST = 12;

    private static final long GAP = 24;
    private static final long SHARE = 32; // the gap is this part of the iterations that are behind

    private ConvergenceTestSchedule() {}

    /** The first test after this many iterations, or later. */
    public static long next(long iteration) {
        long test = FIRST;
        while (test < iteration) {
            test += GAP * Math.max(1, test / (GAP * SHARE));
        }
        return test;
    }
}
