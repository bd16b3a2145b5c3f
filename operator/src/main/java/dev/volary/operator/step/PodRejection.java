// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.step;

import dev.volary.operator.job.ConditionReason;

/**
 * The API server did not take a pod, or an object's name is taken.
 *
 * @param reason what kind of refusal
 * @param message the server's own words, or which name is taken by whom
 */
public record PodRejection(ConditionReason reason, String message) {

    /** Reads the kind off the server's message. */
    public static PodRejection of(String message) {
        ConditionReason reason;
        if (message.contains("exceeded quota") || message.contains("failed quota")) {
            reason = ConditionReason.QuotaExceeded;
        } else if (message.contains("violates PodSecurity")) {
            reason = ConditionReason.PodSecurityViolated;
        } else if (message.contains("usage per Container")
                || message.contains("usage per Pod")
                || message.contains("limit to request ratio")) {
            reason = ConditionReason.LimitRangeViolated;
        } else {
            reason = ConditionReason.PodRefused;
        }
        return new PodRejection(reason, message);
    }
}
