// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.reconcile;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.volary.operator.reconcile.OperatorScenario.Fault;
import dev.volary.operator.simulated.SimulatedApiServer;
import dev.volary.operator.simulated.SimulatedCluster;
import dev.volary.operator.simulated.SimulatedJob;
import dev.volary.operator.simulated.SimulatedWorkers;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Checks what is left at the end of a run: the state that a run without faults has, and exactly its objects. */
final class FinalStateChecker {
    private static final Set<String> EXPECTED = Set.of(
            "configmaps/lab/volary-heat-job",
            "iterativejobs/lab/heat",
            "leases/lab/heat-lead",
            "networkpolicies/lab/volary-heat-daemons",
            "networkpolicies/lab/volary-heat-spawners",
            "rolebindings/lab/volary-heat-spawner",
            "roles/lab/volary-heat-spawner",
            "secrets/lab/volary-heat-ca",
            "serviceaccounts/lab/volary-heat-spawner",
            "services/lab/volary-heat-d",
            "services/lab/volary-heat-s");

    private final SimulatedApiServer server;
    private final SimulatedWorkers workers;
    private final Consumer<String> violated;

    FinalStateChecker(SimulatedApiServer server, SimulatedWorkers workers, Consumer<String> violated) {
        this.server = server;
        this.workers = workers;
        this.violated = violated;
    }

    void check(OperatorScenario scenario) {
        Map<String, ObjectNode> left = new TreeMap<>(server.all());
        left.keySet().removeIf(key -> key.startsWith("nodes/"));
        boolean isDeleted = scenario.spec().contains("ttl") || scenario.has(Fault.FOREGROUND);
        if (isLost()) {
            keepLivingSpawners(left);
        }
        Set<String> surplus = new TreeSet<>(left.keySet());
        surplus.removeAll(isDeleted ? Set.of() : EXPECTED);
        if (!surplus.isEmpty()) {
            violated.accept("at the end these objects are left: " + surplus);
        }
        Set<String> missing = new TreeSet<>(isDeleted ? Set.of() : EXPECTED);
        missing.removeAll(left.keySet());
        ObjectNode job = server.get("iterativejobs", "lab", "heat");
        if (job == null) {
            if (!isDeleted) {
                violated.accept("at the end the job is gone");
            }
            return;
        }
        // of a job that has ended, objects that a person deletes are not made again
        if (!missing.isEmpty() && !scenario.has(Fault.DELETIONS) && !scenario.has(Fault.SECRETS)) {
            violated.accept("at the end these objects are missing: " + missing);
        }
        SimulatedJob truth = workers.job(SimulatedApiServer.uid(job));
        boolean mayMissDeadline =
                scenario.spec().contains("DeadlineSeconds") && (truth == null || !truth.wasCertified());
        if (!mayMissDeadline || !job.at("/status/phase").asText().equals("Failed")) {
            checkStatus(job, truth);
        }
    }

    /** Spawners that run may hold a result, so they stay until the job is deleted. */
    private static void keepLivingSpawners(Map<String, ObjectNode> left) {
        List.copyOf(left.entrySet()).forEach(entry -> {
            String name = SimulatedApiServer.name(entry.getValue());
            if (entry.getKey().startsWith("pods/")
                    && name.contains("-s-")
                    && !SimulatedCluster.hasEnded(entry.getValue())) {
                left.remove(entry.getKey());
                left.remove("secrets/lab/volary-" + name + "-identity");
            }
        });
    }

    private boolean isLost() {
        ObjectNode job = server.get("iterativejobs", "lab", "heat");
        return job != null
                && conditions(job.path("status"))
                        .getOrDefault("ResultAvailable", "")
                        .endsWith("ResultLost");
    }

    private void checkStatus(ObjectNode job, @Nullable SimulatedJob truth) {
        JsonNode status = job.path("status");
        String phase = status.path("phase").asText();
        if (!phase.equals("Succeeded") || truth == null) {
            violated.accept("at the end the phase is " + phase + ", not Succeeded; conditions " + conditions(status));
            return;
        }
        Map<String, String> conditions = conditions(status);
        String result = conditions.getOrDefault("ResultAvailable", "");
        boolean isTrue = truth.isStored()
                ? result.equals("True Published")
                : truth.isFetched()
                        ? result.equals("False ResultFetched") || (!truth.isHeld() && result.equals("False ResultLost"))
                        : result.equals("False ResultLost");
        if (!isTrue) {
            violated.accept("at the end ResultAvailable is " + result + ", and the result is "
                    + (truth.isStored() ? "stored" : truth.isFetched() ? "fetched" : truth.isHeld() ? "held" : "lost"));
        }
        conditions.remove("ResultAvailable");
        conditions.remove("ZonesKnown");
        conditions.remove("Stalled", "False Progressing");
        conditions.remove("Reconciled", "True Reconciled");
        Map<String, String> expected = Map.of(
                "Ready", "True Finished",
                "Complete", "True Certified",
                "Converged", "True Certified",
                "Degraded", "False Finished",
                "Failed", "False NotFailed",
                "Suspended", "False NotSuspended");
        if (!conditions.equals(expected)) {
            violated.accept("at the end the conditions are " + conditions);
        }
    }

    private static Map<String, String> conditions(JsonNode status) {
        Map<String, String> conditions = new TreeMap<>();
        status.path("conditions")
                .forEach(each -> conditions.put(
                        each.path("type").asText(),
                        each.path("status").asText() + " " + each.path("reason").asText()));
        return conditions;
    }
}
