// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.reconcile;

import dev.volary.operator.job.ConditionReason;
import dev.volary.operator.step.FailedAttempt;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import org.jspecify.annotations.Nullable;

/** Says of an exception what failed, when it is attempted again, and what helps. */
final class FailedAttempts {
    private static final int UNPROCESSABLE = 422;
    private static final int TOO_MANY = 429;
    private static final int SERVER_ERROR = 500;

    private FailedAttempts() {}

    /** A pass over a job. */
    static FailedAttempt pass(Throwable e) {
        return new FailedAttempt(
                ConditionReason.PassFailed,
                "the operator's pass over this job failed: " + cause(e)
                        + "; it is attempted again after 30 s at the latest; " + remedy(e));
    }

    /** A poll of a job's spawners. */
    static FailedAttempt poll(Throwable e) {
        return new FailedAttempt(
                ConditionReason.PollFailed,
                "the operator cannot ask the spawners of this job, so the status may be old: " + cause(e)
                        + "; it asks again every " + SpawnerPoller.LONGEST.toSeconds() + " s at least; " + remedy(e));
    }

    /** What the API server says, or else what the exception and its deepest cause say. */
    static String cause(Throwable e) {
        KubernetesClientException answer = answer(e);
        if (answer != null) {
            return "the API server answered " + answer.getCode() + ": " + text(answer);
        }
        Throwable deepest = e.getCause();
        while (deepest != null && deepest.getCause() != null) {
            deepest = deepest.getCause();
        }
        return deepest == null || said(e).contains(said(deepest)) ? said(e) : said(e) + ": " + said(deepest);
    }

    /** The API server's own words. */
    static String text(KubernetesClientException e) {
        return e.getStatus() != null && e.getStatus().getMessage() != null
                ? e.getStatus().getMessage()
                : said(e);
    }

    private static String said(Throwable e) {
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
                return "free the name";
            }
        }
        KubernetesClientException answer = answer(e);
        int code = answer == null ? 0 : answer.getCode();
        if (code == HttpURLConnection.HTTP_FORBIDDEN) {
            return answer != null && text(answer).contains("quota")
                    ? "raise the namespace's ResourceQuota"
                    : "give the operator the rights that its chart lists, or free what forbids the request";
        }
        if (code == HttpURLConnection.HTTP_BAD_REQUEST || code == UNPROCESSABLE) {
            return "correct the field that the API server names";
        }
        if (code == HttpURLConnection.HTTP_CONFLICT) {
            return "find out what else changes that object";
        }
        if (code == TOO_MANY || code >= SERVER_ERROR) {
            return "check that the API server is well";
        }
        return "if it does not pass, read the operator's log";
    }
}
