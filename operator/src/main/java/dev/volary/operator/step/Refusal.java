package dev.volary.operator.step;

import dev.volary.operator.job.Reason;

/**
 * The API server did not take a pod, or an object's name is taken.
 *
 * @param reason what kind of refusal
 * @param message the server's own words, or which name is taken by whom
 */
public record Refusal(Reason reason, String message) {

    /** Reads the kind off the server's message. */
    public static Refusal of(String message) {
        Reason reason;
        if (message.contains("exceeded quota") || message.contains("failed quota")) {
            reason = Reason.QuotaExceeded;
        } else if (message.contains("violates PodSecurity")) {
            reason = Reason.PodSecurityViolated;
        } else if (message.contains("usage per Container")
                || message.contains("usage per Pod")
                || message.contains("limit to request ratio")) {
            reason = Reason.LimitRangeViolated;
        } else {
            reason = Reason.PodRefused;
        }
        return new Refusal(reason, message);
    }
}
