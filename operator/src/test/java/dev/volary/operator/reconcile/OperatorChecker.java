// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.reconcile;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.volary.operator.pod.PodName;
import dev.volary.operator.pod.PodRole;
import dev.volary.operator.reconcile.OperatorScenario.Fault;
import dev.volary.operator.simulated.ApiRequest;
import dev.volary.operator.simulated.SimulatedApiServer;
import dev.volary.operator.simulated.SimulatedCluster;
import dev.volary.operator.simulated.SimulatedJob;
import dev.volary.operator.simulated.SimulatedWorkers;
import dev.volary.operator.simulated.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Checks each executed request of an operator against what must always hold. Shares no code with what it checks. */
final class OperatorChecker {
    private static final int MAX_VIOLATIONS = 10;
    /** For how long the operator must have been able to learn of progress before it is to blame for destroying it. */
    private static final Duration NOTICE = Duration.ofSeconds(45);

    private final VirtualTime time;
    private final SimulatedApiServer server;
    private final SimulatedWorkers workers;
    private final StatusChecker statuses;
    private final WorkerCountChecker counts;
    private final IdentityChecker identities;
    private final ResultChecker results;
    private final OperatorScenario scenario;
    private final boolean countsPods;
    private final List<String> violations = new ArrayList<>();
    private final Map<String, Set<String>> podNames = new HashMap<>();
    private final Map<String, TreeMap<Duration, Integer>> wantedDaemons = new HashMap<>();

    OperatorChecker(VirtualTime time, SimulatedApiServer server, SimulatedWorkers workers, OperatorScenario scenario) {
        this.time = time;
        this.server = server;
        this.workers = workers;
        this.scenario = scenario;
        this.countsPods =
                !scenario.has(Fault.NODES) && !scenario.has(Fault.OVERLAP) && !scenario.has(Fault.LOST_ANSWERS);
        this.counts = new WorkerCountChecker(time, server, workers, this::violated);
        this.results = new ResultChecker(time, workers, this::violated);
        this.identities = new IdentityChecker(time, server, this::violated);
        if (scenario.has(Fault.DAYS) || scenario.has(Fault.SECRETS)) {
            identities.start();
        }
        this.statuses = new StatusChecker(workers, this::violated);
        server.onChange(this::remember);
    }

    List<String> violations() {
        return List.copyOf(violations);
    }

    void violated(String text) {
        if (violations.size() < MAX_VIOLATIONS) {
            violations.add("%.3f s: %s".formatted(time.elapsed().toMillis() / 1000.0, text));
        }
    }

    private void remember(SimulatedApiServer.Change change) {
        if (change.resource().equals("iterativejobs")) {
            JsonNode daemons = change.object().path("spec").path("daemons");
            wantedDaemons
                    .computeIfAbsent(SimulatedApiServer.uid(change.object()), uid -> new TreeMap<>())
                    .put(
                            time.elapsed(),
                            daemons.path("replicas").asInt()
                                    + daemons.path("standbys").asInt());
        }
    }

    /** All faults are over and were made up for. */
    void settled() {
        counts.check(scenario);
    }

    /**
     * Checks an executed request.
     *
     * @param job UID of the job for which the operator has sent it
     * @param before the object before; null if there was none
     * @param after the object after; null if there is none
     */
    void executed(ApiRequest request, String job, @Nullable ObjectNode before, @Nullable ObjectNode after) {
        ObjectNode object = before == null ? after : before;
        if (request.isRead() || request.resource().equals("events") || object == null) {
            return;
        }
        boolean isJob = request.resource().equals("iterativejobs");
        String owner = isJob ? SimulatedApiServer.uid(object) : SimulatedApiServer.owner(object);
        if (!owner.equals(job)) {
            violated("the operator reconciles " + job + " and sends " + request + ", an object of \"" + owner + "\"");
        }
        if (isJob && before != null && after != null) {
            statuses.check(before, after);
            checkLosses(after);
            results.check(after);
        }
        if (isJob && request.verb().equals("delete") && before != null) {
            results.deleted(before);
        }
        if (request.resource().equals("pods")) {
            if (before == null && after != null) {
                created(after, job);
            } else if (request.verb().equals("delete") && before != null) {
                deleted(before, job);
            }
        }
    }

    private void checkLosses(ObjectNode job) {
        String uid = SimulatedApiServer.uid(job);
        SimulatedJob truth = workers.job(uid);
        int most = podNames.getOrDefault(uid, Set.of()).size()
                + (truth == null ? 0 : truth.exits().all());
        int counted = job.at("/status/replacements/total").asInt();
        if (counted > most) {
            violated("status.replacements.total is " + counted + ", and at most " + most
                    + " workers of the job were lost");
        }
    }

    private void created(ObjectNode pod, String uid) {
        String name = SimulatedApiServer.name(pod);
        if (!podNames.computeIfAbsent(uid, each -> new HashSet<>()).add(name)) {
            violated("pod " + name + " is created for the second time by the same job");
        }
        ObjectNode job = job(uid);
        Optional<PodName> parsed = job == null ? Optional.empty() : PodName.parse(SimulatedApiServer.name(job), name);
        if (job == null || parsed.isEmpty()) {
            return; // deleted meanwhile
        }
        boolean isDaemon = parsed.get().role() == PodRole.DAEMON;
        long reserved = job.path("status")
                .path("serials")
                .path(isDaemon ? "daemons" : "spawners")
                .asLong(-1);
        if (parsed.get().serial() > reserved) {
            violated("pod " + name + " is created, but the status reserves serials up to " + reserved + " only");
        }
        if (countsPods && isDaemon) {
            long counted = server.list("pods").stream()
                    .filter(each -> SimulatedApiServer.owner(each).equals(uid) && isCounted(each))
                    .filter(each -> SimulatedApiServer.name(each).contains("-d-"))
                    .count();
            int wanted = mostWanted(uid);
            if (counted > wanted) {
                violated(counted + " daemons after pod " + name + " is created, of " + wanted + " that are wanted");
            }
            counts.created(pod, job);
        }
    }

    private static boolean isDaemon(ObjectNode pod) {
        return SimulatedApiServer.name(pod).contains("-d-");
    }

    private static boolean isCounted(ObjectNode pod) {
        return !SimulatedCluster.isDeleting(pod) && !SimulatedCluster.hasEnded(pod);
    }

    /** The most daemons that were wanted lately, for a watch may be late. */
    private int mostWanted(String uid) {
        TreeMap<Duration, Integer> wanted = wantedDaemons.getOrDefault(uid, new TreeMap<>());
        Duration since = time.elapsed().minusSeconds(90);
        Duration first = Optional.ofNullable(wanted.floorKey(since)).orElse(since);
        return wanted.tailMap(first, true).values().stream()
                .mapToInt(Integer::intValue)
                .max()
                .orElse(0);
    }

    private @Nullable ObjectNode job(String uid) {
        return server.list("iterativejobs").stream()
                .filter(each -> SimulatedApiServer.uid(each).equals(uid))
                .findFirst()
                .orElse(null);
    }

    /** The operator deletes a pod: nothing that only this pod has may be lost. */
    private void deleted(ObjectNode pod, String uid) {
        SimulatedJob truth = workers.job(uid);
        ObjectNode job = job(uid);
        if (truth == null || job == null) {
            return;
        }
        if (scenario.has(Fault.DAYS)) {
            identities.deleted(pod, job);
        }
        if (countsPods && isDaemon(pod)) {
            counts.deleted(pod, job);
        }
        String name = SimulatedApiServer.name(pod);
        String phase = job.path("status").path("phase").asText();
        boolean isKnown = truth.known().compareTo(NOTICE) >= 0 && !truth.isSaved();
        if (truth.isHeldBy(SimulatedApiServer.uid(pod)) && isCounted(pod) && (isKnown || phase.equals("Succeeded"))) {
            violated("pod " + name + " is deleted in phase " + phase
                    + ", and holds the result that no client has fetched");
        } else if (truth.isComputing() && isKnown && (phase.equals("Suspending") || hasNeverStarted(job))) {
            violated("pod " + name + " is deleted in phase " + phase + ", and the job iterates and has no checkpoint");
        }
    }

    private static boolean hasNeverStarted(ObjectNode job) {
        for (JsonNode condition : job.path("status").path("conditions")) {
            if (condition.path("reason").asText().equals("NeverStarted")) {
                return true;
            }
        }
        return false;
    }
}
