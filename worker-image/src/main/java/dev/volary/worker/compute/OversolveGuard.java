// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.compute;

/**
 * Decides when another iteration on the same halos is wasted: the local problem is solved far beyond what its halos are
 * worth (docs/explanation/asynchronous-iteration.md, "do not solve beyond the halos": do not over-solve on stale halos). A
 * settled block costs no CPU until a halo arrives; it does not wait for one, since it has nothing to compute.
 */
final class OversolveGuard {
    /** Hints may be computed only now and then; this number of iterations after fresh halos must have produced one. */
    private static final int WARM_UP = 16;

    private static final double REDUCTION = 0.02;
    private static final double BELOW_TOLERANCE = 0.02;

    private final double floor;
    private int since;
    private double peak;

    /**
     * @param tolerance absolute tolerance of the job
     */
    OversolveGuard(double tolerance) {
        floor = BELOW_TOLERANCE * tolerance;
    }

    /** Fresh halos were taken. */
    void refreshed() {
        since = 0;
        peak = 0;
    }

    /** An iteration returned this hint. */
    void iterated(double hint) {
        since++;
        if (since <= WARM_UP) {
            peak = Math.max(peak, hint);
        }
    }

    /** Whether more iterations on these halos are worth nothing. */
    boolean isSettled(double hint) {
        return since > WARM_UP && (hint <= REDUCTION * peak || hint <= floor);
    }
}
