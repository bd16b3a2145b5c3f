// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.reconcile;

import dev.volary.operator.plan.FailedAttempt;
import dev.volary.operator.status.ConditionReason;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import org.jspecify.annotations.Nullable;

/** Describes a failure: the cause, when the operator retries, and the remedy. */
final class FailedAttempts {
    private static final int UNPROCESSABLE = 422;
    private static final int TOO_MANY = 429;
    private static final int SERVER_ERROR = 500;

    private FailedAttempts() {}

    /** Describes a failed reconciliation. */
    static FailedAttempt pass(Throwable e) {
        return new FailedAttempt(
                ConditionReason.PassFailed,
                "the operator failed to reconcile this job: " + cause(e) + "; it retries after at most 30 s; "
                        + remedy(e));
    }

    /** Describes a failed poll of the spawners. */
    static FailedAttempt poll(Throwable e) {
        return new FailedAttempt(
                ConditionReason.PollFailed,
                "the operator cannot poll the spawners of this job, so the status may be outdated: " + cause(e)
                        + "; it retries at least every " + SpawnerPoller.LONGEST.toSeconds() + " s; " + remedy(e));
    }

    /** The answer of the API server, or the messages of the exception and its deepest cause. */
    static String cause(Throwable e) {
        KubernetesClientException answer = answer(e);
        if (answer != null) {
            return "the API server answered " + answer.getCode() + ": " + text(answer);
        }
        Throwable deepest = e.getCause();
        while (deepest != null && deepest.getCause() != null) {
            deepest = deepest.getCause();
        }
        return deepest == null || message(e).contains(message(deepest))
                ? message(e)
                : message(e) + ": " + message(deepest);
    }

    /** The message of the API server. */
    static String text(KubernetesClientException e) {
        return e.getStatus() != null && e.getStatus().getMessage() != null
                ? e.getStatus().getMessage()
                : message(e);
    }

    private static String message(Throwable e) {
        return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    }

    private static @Nullable KubernetesClientException answer(Throwable e) {
        for (Throwable at = e; at != null; at = at.getCause()) {
            if (at instanceof KubernetesClientException answer && answer.getCode() > 0) {
                return answer;
            }
        }
        return null;
    }

    private static String remedy(Throwable e) {
        for (Throwable at = e; at != null; at = at.getCause()) {
            if (at instanceof NameTakenException) {
                return "delete or rename the object that has the name";
            }
        }
        KubernetesClientException answer = answer(e);
        if (answer == null && e instanceof KubernetesClientException) {
            return "check that the operator can reach the API server, and its health";
        }
        int code = answer == null ? 0 : answer.getCode();
        if (code == HttpURLConnection.HTTP_FORBIDDEN) {
            return answer != null && text(answer).contains("quota")
                    ? "raise the ResourceQuota of the namespace"
                    : "grant the operator the rights that its chart lists, or remove the policy that forbids the request";
        }
        if (code == HttpURLConnection.HTTP_BAD_REQUEST || code == UNPROCESSABLE) {
            return "correct the field that the API server names";
        }
        if (code == HttpURLConnection.HTTP_CONFLICT) {
            return "find out what else changes this object";
        }
        if (code == TOO_MANY || code >= SERVER_ERROR) {
            return "check the health of the API server";
        }
        return "if it persists, read the log of the operator";
    }
}
