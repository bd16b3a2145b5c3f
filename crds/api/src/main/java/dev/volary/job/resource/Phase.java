// SPDX-License-Identifier: Apache-2.0
package dev.volary.job.resource;

/** The state of a job in short; the conditions have the details. */
public enum Phase {
    /** Accepted; its objects are being created, or something it needs is missing: see the Ready condition. */
    Pending,
    /** Workers start, find each other and are given their blocks. */
    Forming,
    /** Blocks iterate; with fewer workers than wanted the Degraded condition says so. */
    Running,
    /** A snapshot is taken onto the checkpoint volume, then the pods go. */
    Suspending,
    /** No pod is left; spec.suspend: false goes on from the snapshot. */
    Suspended,
    /** Certified: the residual is at most the tolerance. Final. */
    Succeeded,
    /** Ended without a certified answer; the Failed condition says why. Final. */
    Failed;

    /** Whether this is the end: a job never leaves such a phase. */
    public boolean isFinal() {
        return this == Succeeded || this == Failed;
    }
}
