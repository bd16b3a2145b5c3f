// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.reconcile;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.volary.operator.simulated.SimulatedApiServer;
import dev.volary.operator.simulated.SimulatedJob;
import dev.volary.operator.simulated.SimulatedWorkers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/** Checks each written status: phases follow each other as they may, counters only grow, and what it says of the workers is true. */
final class StatusChecker {
    private static final int LONGEST_HISTORY = 32;
    private static final Map<String, Set<String>> NEXT = Map.of(
            "Pending", Set.of("Forming", "Suspended", "Failed"),
            "Forming", Set.of("Running", "Suspending", "Succeeded", "Failed"),
            "Running", Set.of("Suspending", "Succeeded", "Failed"),
            "Suspending", Set.of("Suspended", "Failed"),
            "Suspended", Set.of("Forming"),
            "Succeeded", Set.of(),
            "Failed", Set.of());
    private static final List<String> GROWING = List.of(
            "/retriesUsed",
            "/replacements/total",
            "/replacements/voluntary",
            "/replacements/disruption",
            "/replacements/failure",
            "/serials/daemons",
            "/serials/spawners",
            "/observedGeneration");

    private final SimulatedWorkers workers;
    private final Consumer<String> violated;

    StatusChecker(SimulatedWorkers workers, Consumer<String> violated) {
        this.workers = workers;
        this.violated = violated;
    }

    void check(ObjectNode before, ObjectNode after) {
        JsonNode old = before.path("status");
        JsonNode next = after.path("status");
        checkHistory(history(old), history(next));
        for (String counter : GROWING) {
            if (old.at(counter).isNumber()
                    && next.at(counter).asLong() < old.at(counter).asLong()) {
                violated.accept("status" + counter.replace('/', '.') + " falls from " + old.at(counter) + " to "
                        + next.at(counter));
            }
        }
        if (next.path("phase").asText().equals("Succeeded")
                || next.path("phase").asText().equals("Failed")) {
            if (old.path("completionTime").isTextual()
                    && !old.path("completionTime").equals(next.path("completionTime"))) {
                violated.accept("status.completionTime changes after the job has ended");
            }
        }
        SimulatedJob truth = workers.job(SimulatedApiServer.uid(after));
        checkTruth(next, truth);
    }

    private void checkHistory(List<String> old, List<String> next) {
        int kept = Math.min(old.size(), next.size());
        boolean continues = next.size() == LONGEST_HISTORY
                || (next.size() >= old.size() && next.subList(0, kept).equals(old));
        if (!continues) {
            violated.accept("the history of phases was " + old + " and is " + next);
        }
        for (int i = 1; i < next.size(); i++) {
            if (!NEXT.getOrDefault(next.get(i - 1), Set.of()).contains(next.get(i))) {
                violated.accept("the phase " + next.get(i) + " follows " + next.get(i - 1));
            }
        }
    }

    private static List<String> history(JsonNode status) {
        List<String> phases = new ArrayList<>();
        status.path("stateTransitions")
                .forEach(each -> phases.add(each.path("phase").asText()));
        return phases;
    }

    private void checkTruth(JsonNode status, @org.jspecify.annotations.Nullable SimulatedJob truth) {
        long iterations = status.path("iterations").asLong();
        if (truth == null ? iterations > 0 : iterations > 0 && !truth.hasReported(iterations)) {
            violated.accept("status.iterations is " + iterations + ", which workers of another job have reported");
        }
        if (status.path("phase").asText().equals("Succeeded") && (truth == null || !truth.wasCertified())) {
            violated.accept("the phase is Succeeded, and the job has no result");
        }
        if (status.path("resultFetched").asBoolean() && (truth == null || !truth.isFetched())) {
            violated.accept("status.resultFetched is true, and no client has the result");
        }
        int failures = status.at("/replacements/failure").asInt();
        if (failures > (truth == null ? 0 : truth.exits().failures())) {
            violated.accept("status.replacements.failure is " + failures + ", and workers failed "
                    + (truth == null ? 0 : truth.exits().failures()) + " times");
        }
        if (status.path("retriesUsed").asInt() != failures) {
            violated.accept("status.retriesUsed is " + status.path("retriesUsed") + ", and status.replacements.failure "
                    + failures);
        }
    }
}
