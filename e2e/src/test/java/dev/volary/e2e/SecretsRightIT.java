// SPDX-License-Identifier: Apache-2.0
package dev.volary.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An operator that may not read secrets cannot ask spawners; it says so, and follows the job again once it may. */
@OnCluster
class SecretsRightIT {
    private static final int SECONDS = 30;

    @TempDir
    Path folder;

    @Test
    void onceTheRightToSecretsIsGrantedAgainAnotherOperatorFollowsTheJobToItsEnd() throws Exception {
        try (ClusterJob job = new ClusterJob("rights", Specs.few(Specs.lasting(SECONDS)))) {
            job.until("runs", () -> job.status("phase").equals("Running"));
            JsonObject role = roleWithSecrets();
            replace(withoutSecrets(role));
            try {
                for (String pod : Operator.pods()) {
                    Kubectl.run("-n", Operator.namespace(), "delete", "pod", pod, "--grace-period=0", "--force");
                }
                job.until("says why", () -> job.condition("Reconciled").equals("False PollFailed"));
                assertTrue(
                        job.message("Reconciled").contains("\"volary-rights-ca\" is forbidden"),
                        job.message("Reconciled"));
                job.until("has an event with the reason", () -> job.events().contains("ReconcileFailed"));
                // The workers certify the result, and the operator cannot read that.
                job.until("is certified", () -> spawnerSaysItIsOver(job));
                assertEquals("Running", job.status("phase"));
            } finally {
                replace(role);
            }
            job.awaitSuccess();
            job.until("is well again", () -> job.condition("Reconciled").equals("True Reconciled"));
            Certificates.check(Fetched.of(job, folder));
        }
    }

    private static boolean spawnerSaysItIsOver(ClusterJob job) throws Exception {
        try (Spawner leader = Spawner.of(job, job.leader())) {
            return leader.client().status(Long.MAX_VALUE).hasOutcome();
        }
    }

    /** The chart has roles for users too. */
    private static JsonObject roleWithSecrets() throws Exception {
        for (JsonElement role :
                Kubectl.json("get", "clusterroles", "-l", Operator.LABEL).getAsJsonArray("items")) {
            for (JsonElement rule : role.getAsJsonObject().getAsJsonArray("rules")) {
                if (isOfSecrets(rule)) {
                    return role.getAsJsonObject();
                }
            }
        }
        throw new AssertionError("no cluster role of the operator has a right to secrets");
    }

    private static boolean isOfSecrets(JsonElement rule) {
        return rule.getAsJsonObject().getAsJsonArray("resources").toString().contains("\"secrets\"");
    }

    private static JsonObject withoutSecrets(JsonObject role) {
        JsonArray left = new JsonArray();
        for (JsonElement rule : role.getAsJsonArray("rules")) {
            if (!isOfSecrets(rule)) {
                left.add(rule);
            }
        }
        JsonObject limited = role.deepCopy();
        limited.add("rules", left);
        return limited;
    }

    private static void replace(JsonObject role) throws Exception {
        JsonObject next = role.deepCopy();
        next.getAsJsonObject("metadata").remove("resourceVersion"); // whatever it has become meanwhile
        Kubectl.given(next.toString(), "replace", "-f", "-");
    }
}
