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
     * The deadline came first. The delivered vector has this certified residual, above the tolerance.
     *
     * @param residual certified bound of the absolute residual; infinite if no vector could be delivered
     */
    record NotConverged(long sid, double residual) implements JobOutcome {}

    /** The job cannot go on; the reason names what, the value and the remedy. */
    record Failed(String reason) implements JobOutcome {}
}
