// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.machine;

/** How a job ended. */
public sealed interface JobOutcome {

    /**
     * The residual of the delivered vector is certified to be within the tolerance.
     *
     * @param sid the snapshot
     * @param residual certified bound of the absolute residual
     */
    record Certified(long sid, double residual) implements JobOutcome {}

    /**
     * The deadline came first. The delivered vector has this certified residual, above the tolerance. Of a stationary problem it is
     * the best one that was reached, as far as its parts still exist.
     *
     * @param residual certified bound of the absolute residual; infinite if no vector could be delivered
     * @param iterations of a block on average, when the vector was recorded; 0 if none could be delivered
     */
    record NotConverged(long sid, double residual, long iterations) implements JobOutcome {

        /** No vector could be delivered. */
        public static NotConverged withoutResult(long sid) {
            return new NotConverged(sid, Double.POSITIVE_INFINITY, 0);
        }

        /** Whether a vector was delivered. */
        public boolean hasResult() {
            return Double.isFinite(residual);
        }
    }

    /** The job cannot go on; the reason names what, the value and the remedy. */
    record Failed(String reason) implements JobOutcome {}
}
