// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.model;

/**
 * What failure detection has decided about a member of a group.
 *
 * @param member the member
 * @param cause what is wrong with it
 * @param silentNanos how long nothing was received from it; for {@link Cause#STUCK} how long it has not iterated; 0 for
 *     {@link Cause#LEFT}
 */
public record FailureVerdict(WorkerId member, Cause cause, long silentNanos) {

    /** What is wrong with a member. */
    public enum Cause {
        /** Nothing is received from it. A process that lives nevertheless is fenced. */
        DEAD,
        /** It sends heartbeats, but one of its blocks does not iterate. */
        STUCK,
        /** It announced that it leaves. */
        LEFT
    }
}
