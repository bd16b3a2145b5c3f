// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.reconcile;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.volary.job.resource.IterativeJob;
import dev.volary.operator.simulated.ApiRequest;
import dev.volary.operator.simulated.SimulatedApiServer;
import dev.volary.operator.simulated.VirtualTime;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Checks that reconciliations that go on failing show in the status, as far as it can be written. */
final class FailureChecker {
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final VirtualTime time;
    private final SimulatedApiServer server;
    private final OperatorChecker checker;
    private final Map<String, Duration> failingSince = new HashMap<>();

    FailureChecker(VirtualTime time, SimulatedApiServer server, OperatorChecker checker) {
        this.time = time;
        this.server = server;
        this.checker = checker;
    }

    /** A request was answered; without a status that can be written, nothing can be shown. */
    void answered(ApiRequest request, boolean isSuccess) {
        if (!isSuccess && request.operation().equals("patch iterativejobs/status")) {
            failingSince.clear();
        }
    }

    void reconciled(IterativeJob job, @Nullable Exception failure) {
        String uid = job.getMetadata().getUid();
        ObjectNode stored = server.get("iterativejobs", "lab", job.getMetadata().getName());
        if (failure == null || stored == null || !SimulatedApiServer.uid(stored).equals(uid)) {
            failingSince.remove(uid);
            return;
        }
        Duration since = failingSince.computeIfAbsent(uid, each -> time.elapsed());
        if (time.elapsed().minus(since).compareTo(PATIENCE) > 0 && !isShown(stored)) {
            checker.violated("reconciliations have failed since " + since.toSeconds()
                    + " s, and the status does not say so: " + failure);
        }
    }

    private static boolean isShown(ObjectNode job) {
        for (JsonNode condition : job.path("status").path("conditions")) {
            if (condition.path("type").asText().equals("Reconciled")
                    && condition.path("status").asText().equals("False")) {
                return true;
            }
        }
        return false;
    }
}
