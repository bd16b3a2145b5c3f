// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.model;

/**
 * What the watch has found out about a member of a group.
 *
 * @param member the member
 * @param cause what is wrong with it
 * @param silentNanos how long nothing was heard of it; for {@link Cause#STUCK} how long it has not iterated; 0 for
 *     {@link Cause#LEFT}
 */
public record FailureVerdict(WorkerId member, Cause cause, long silentNanos) {

    /** What is wrong with a member. */
    public enum Cause {
        /** It gives no sign of life. A process that lives nevertheless is fenced. */
        DEAD,
        /** It beats, but one of its blocks does not iterate. */
        STUCK,
        /** It said that it goes. */
        LEFT
    }
}
