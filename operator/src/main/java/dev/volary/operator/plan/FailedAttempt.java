// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.plan;

import dev.volary.operator.status.ConditionReason;

/**
 * A reconciliation of a job, or a poll of its spawners, that failed and will be retried.
 *
 * @param reason which of the two failed
 * @param message cause, time of the next attempt, remedy
 */
public record FailedAttempt(ConditionReason reason, String message) {
    private static final int MAX_MESSAGE = 1500;

    public FailedAttempt {
        message = message.length() <= MAX_MESSAGE ? message : message.substring(0, MAX_MESSAGE - 1) + "…";
    }

    /**
     * Whether a condition with this reason and message shows the same failure. Ignores numbers, since versions, ports and
     * durations differ between attempts and are not worth a write of the status.
     */
    boolean isLike(String otherReason, String otherMessage) {
        return reason.name().equals(otherReason) && withoutNumbers(message).equals(withoutNumbers(otherMessage));
    }

    /** Whether both have the same kind and cause. */
    public boolean isLike(FailedAttempt other) {
        return isLike(other.reason.name(), other.message);
    }

    private static String withoutNumbers(String text) {
        return text.replaceAll("\\d+", "#");
    }
}
