// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.step;

import dev.volary.operator.job.ConditionReason;

/**
 * A pass over a job, or a poll of its spawners, that ended in an exception. It is attempted again by itself.
 *
 * @param reason which of the two
 * @param message cause, next attempt, remedy
 */
public record FailedAttempt(ConditionReason reason, String message) {
    private static final int LONGEST = 1500;

    public FailedAttempt {
        message = message.length() <= LONGEST ? message : message.substring(0, LONGEST - 1) + "…";
    }

    /**
     * Whether the condition with this reason and message says the same already. Numbers do not count: versions, ports and
     * durations differ from attempt to attempt, and a status is not written again for them.
     */
    boolean isLike(String otherReason, String otherMessage) {
        return reason.name().equals(otherReason) && withoutNumbers(message).equals(withoutNumbers(otherMessage));
    }

    /** Whether both are of the same kind and cause. */
    public boolean isLike(FailedAttempt other) {
        return isLike(other.reason.name(), other.message);
    }

    private static String withoutNumbers(String text) {
        return text.replaceAll("\\d+", "#");
    }
}
