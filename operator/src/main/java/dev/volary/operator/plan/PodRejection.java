// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.plan;

import dev.volary.operator.status.ConditionReason;

/**
 * The API server rejected a pod, or the name of an object is taken.
 *
 * @param reason kind of the rejection
 * @param message message of the API server, or which names are taken and by which owner
 */
public record PodRejection(ConditionReason reason, String message) {

    /** Determines the reason from the message of the API server. */
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
