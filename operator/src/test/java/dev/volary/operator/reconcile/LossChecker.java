// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.reconcile;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.volary.operator.simulated.ApiRequest;
import dev.volary.operator.simulated.SimulatedApiServer;
import dev.volary.operator.simulated.SimulatedApiServer.Change;
import dev.volary.operator.simulated.SimulatedApiServer.ChangeKind;
import dev.volary.operator.simulated.SimulatedCluster;
import dev.volary.operator.simulated.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Checks that a job that ends has counted each loss of a pod, and each restart of a container, exactly once. Knows the truth from
 * the API server. For runs of one operator whose nodes are not lost: otherwise pods are lost that an operator cannot know.
 */
final class LossChecker {
    /** A loss shortly before the end may be missing: it can happen while the status is written. */
    private static final Duration SLACK = Duration.ofSeconds(10);

    private final VirtualTime time;
    private final Consumer<String> violated;
    private final Map<String, Pod> pods = new LinkedHashMap<>();

    /** What happened to a pod. */
    private static final class Pod {
        private final String job;
        private final List<Duration> restarts = new ArrayList<>();
        private @Nullable Duration lost;
        private boolean isDeletedByOperator;

        Pod(String job) {
            this.job = job;
        }
    }

    LossChecker(VirtualTime time, Consumer<String> violated) {
        this.time = time;
        this.violated = violated;
    }

    /** Remembers what happens to a pod. */
    void changed(Change change) {
        ObjectNode object = change.object();
        if (!change.resource().equals("pods")
                || SimulatedApiServer.owner(object).isEmpty()) {
            return;
        }
        Pod pod =
                pods.computeIfAbsent(SimulatedApiServer.uid(object), uid -> new Pod(SimulatedApiServer.owner(object)));
        int restarts = object.at("/status/containerStatuses/0/restartCount").asInt();
        while (pod.restarts.size() < restarts) {
            pod.restarts.add(time.elapsed());
        }
        boolean isLost = change.kind() == ChangeKind.DELETED
                || SimulatedCluster.isDeleting(object)
                || SimulatedCluster.hasEnded(object);
        if (isLost && pod.lost == null) {
            pod.lost = time.elapsed();
        }
    }

    /** Checks an executed request of the operator. */
    void executed(ApiRequest request, @Nullable ObjectNode before, @Nullable ObjectNode after) {
        if (before == null) {
            return;
        }
        if (request.operation().equals("delete pods")) {
            Pod pod = pods.get(SimulatedApiServer.uid(before));
            if (pod != null && !SimulatedCluster.isDeleting(before) && !SimulatedCluster.hasEnded(before)) {
                pod.isDeletedByOperator = true;
            }
        } else if (request.operation().equals("patch iterativejobs/status") && after != null) {
            boolean hasEnded = isFinal(after) && !isFinal(before);
            if (hasEnded) {
                ended(
                        SimulatedApiServer.uid(after),
                        after.at("/status/replacements/total").asInt());
            }
        }
    }

    private static boolean isFinal(ObjectNode job) {
        String phase = job.at("/status/phase").asText();
        return phase.equals("Succeeded") || phase.equals("Failed");
    }

    private void ended(String job, int counted) {
        Duration until = time.elapsed().minus(SLACK);
        int least = 0;
        int most = 0;
        for (Pod pod : pods.values()) {
            Duration lost = pod.lost;
            if (!pod.job.equals(job)) {
                continue;
            }
            boolean isLoss = lost != null && !pod.isDeletedByOperator;
            most += pod.restarts.size() + (isLoss ? 1 : 0);
            if (lost == null) {
                least += (int) pod.restarts.stream()
                        .filter(at -> at.compareTo(until) <= 0)
                        .count();
            } else if (isLoss && lost.compareTo(until) <= 0) {
                least++; // a restart just before the loss may be seen as one with it
            }
        }
        if (counted < least || counted > most) {
            violated.accept("the job ends with status.replacements.total " + counted + ", and " + least + " to " + most
                    + " of its pods and containers were lost");
        }
    }
}
