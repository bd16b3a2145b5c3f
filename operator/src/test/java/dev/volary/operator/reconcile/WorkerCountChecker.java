// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.reconcile;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.volary.operator.reconcile.OperatorScenario.Fault;
import dev.volary.operator.simulated.SimulatedApiServer;
import dev.volary.operator.simulated.SimulatedCluster;
import dev.volary.operator.simulated.SimulatedJob;
import dev.volary.operator.simulated.SimulatedWorkers;
import dev.volary.operator.simulated.VirtualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Checks the number of daemons: never more in a worker group than it may have, no daemon with a block is deleted in place of a
 * standby, and once all faults are over there are exactly the daemons, standbys and spawners that the job wants.
 */
final class WorkerCountChecker {
    /** As long as the operator may take to learn which daemons serve a block. */
    private static final Duration NOTICE = Duration.ofSeconds(45);

    private final VirtualTime time;
    private final SimulatedApiServer server;
    private final SimulatedWorkers workers;
    private final Consumer<String> violated;

    WorkerCountChecker(
            VirtualTime time, SimulatedApiServer server, SimulatedWorkers workers, Consumer<String> violated) {
        this.time = time;
        this.server = server;
        this.workers = workers;
        this.violated = violated;
    }

    /** A daemon was created; the operator knows all daemons that there are. */
    void created(ObjectNode pod, ObjectNode job) {
        String group = group(pod);
        int most = limit(job, group);
        long inGroup =
                daemons(job).stream().filter(each -> group(each).equals(group)).count();
        if (inGroup > most) {
            violated.accept(inGroup + " daemons in group " + group + " after pod " + SimulatedApiServer.name(pod)
                    + " is created, of at most " + most);
        }
    }

    /** The operator deletes a daemon of a job that runs. */
    void deleted(ObjectNode pod, ObjectNode job) {
        SimulatedJob truth = workers.job(SimulatedApiServer.uid(job));
        String phase = job.at("/status/phase").asText();
        boolean isSurplus = SimulatedCluster.isRunning(pod) && phase.equals("Running");
        if (truth == null || !isSurplus || truth.known().compareTo(NOTICE) < 0 || isOverLimit(pod, job)) {
            return;
        }
        Instant since = truth.busy().get(SimulatedApiServer.uid(pod));
        if (since == null || since.plus(NOTICE).isAfter(time.now())) {
            return;
        }
        daemons(job).stream()
                .filter(SimulatedCluster::isRunning)
                .filter(each -> !each.equals(pod) && truth.standbys().contains(SimulatedApiServer.uid(each)))
                .findFirst()
                .ifPresent(standby -> violated.accept("pod " + SimulatedApiServer.name(pod)
                        + " is deleted, which serves a block, and " + SimulatedApiServer.name(standby)
                        + " is not, which serves none"));
    }

    private boolean isOverLimit(ObjectNode pod, ObjectNode job) {
        long others = daemons(job).stream()
                .filter(each -> !each.equals(pod) && group(each).equals(group(pod)))
                .count();
        return others >= limit(job, group(pod));
    }

    /** Checks a job that still runs although all faults are over, and were made up for. */
    void check(OperatorScenario scenario) {
        for (ObjectNode job : server.list("iterativejobs")) {
            SimulatedJob truth = workers.job(SimulatedApiServer.uid(job));
            if (truth != null && job.at("/status/phase").asText().equals("Running")) {
                checkNumbers(job, truth);
                checkGroups(job, !scenario.has(Fault.NODES) && !scenario.has(Fault.SCALING));
            }
        }
    }

    private void checkNumbers(ObjectNode job, SimulatedJob truth) {
        JsonNode wanted = job.at("/spec/daemons");
        int computing = wanted.path("replicas").asInt();
        int all = computing + wanted.path("standbys").asInt();
        long spawners = pods(job).stream()
                .filter(each -> SimulatedApiServer.name(each).contains("-s-"))
                .count();
        if (daemons(job).size() != all
                || spawners != job.at("/spec/spawners/replicas").asInt()) {
            violated.accept("after all faults " + daemons(job).size() + " daemons and " + spawners
                    + " spawners run, of " + all + " and " + job.at("/spec/spawners/replicas"));
        }
        JsonNode shown = job.at("/status/daemons");
        if (shown.path("standby").asInt() != truth.standbys().size()
                || shown.path("ready").asInt() != truth.busy().size()
                || shown.path("replicas").asInt() != computing) {
            violated.accept("after all faults status.daemons is " + shown + ", and "
                    + truth.busy().size() + " daemons serve blocks, "
                    + truth.standbys().size() + " stand by");
        }
    }

    /** @param isFilled whether each group has as many daemons as it may before the next one has any */
    private void checkGroups(ObjectNode job, boolean isFilled) {
        Map<String, Integer> counts = new TreeMap<>();
        daemons(job).forEach(each -> counts.merge(group(each), 1, Integer::sum));
        List<JsonNode> groups = new ArrayList<>();
        job.at("/spec/workerGroups").forEach(groups::add);
        groups.sort(Comparator.comparingInt(
                (JsonNode each) -> -each.path("priority").asInt()));
        int left = daemons(job).size();
        for (JsonNode each : groups) {
            String name = each.path("name").asText();
            int most = limit(job, name);
            int count = counts.getOrDefault(name, 0);
            int expected = Math.min(left, most);
            left -= count;
            if (count > most || (isFilled && count != expected)) {
                violated.accept("after all faults worker groups have " + counts + " daemons, and " + name
                        + " should have " + (isFilled ? "" : "at most ") + expected);
                return;
            }
        }
    }

    private static int limit(ObjectNode job, String group) {
        for (JsonNode each : job.at("/spec/workerGroups")) {
            if (each.path("name").asText().equals(group)) {
                return each.path("maxReplicas").asInt(Integer.MAX_VALUE);
            }
        }
        return Integer.MAX_VALUE;
    }

    private static String group(ObjectNode pod) {
        return SimulatedApiServer.meta(pod)
                .path("labels")
                .path("volary.dev/worker-group")
                .asText();
    }

    private List<ObjectNode> daemons(ObjectNode job) {
        return pods(job).stream()
                .filter(each -> SimulatedApiServer.name(each).contains("-d-"))
                .toList();
    }

    private List<ObjectNode> pods(ObjectNode job) {
        return server.list("pods").stream()
                .filter(each -> SimulatedApiServer.owner(each).equals(SimulatedApiServer.uid(job)))
                .filter(each -> !SimulatedCluster.isDeleting(each) && !SimulatedCluster.hasEnded(each))
                .toList();
    }
}
