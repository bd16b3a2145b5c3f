// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.plan;

import dev.volary.job.resource.JobStatus;
import dev.volary.job.resource.Phase;
import dev.volary.job.spec.JobSpec;
import dev.volary.operator.pod.ObservedPod;
import dev.volary.operator.pod.PodClassifier;
import dev.volary.operator.pod.PodName;
import dev.volary.operator.pod.PodRole;
import dev.volary.operator.pod.PodState;
import dev.volary.operator.spawner.JobReport;
import dev.volary.operator.status.EventReason;
import dev.volary.operator.status.TrackedPods;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Keeps the requested number of workers: creates missing pods with new serials, deletes surplus and ended ones. */
final class ScaleWorkers implements ReconcileStep {
    /** Number of serials reserved in advance, so that a replacement does not wait for a write of the status. */
    static final int RESERVED_SERIALS = 4;

    private static final Duration UNTIL_POLLED = Duration.ofSeconds(1);

    /** Number of ended pods kept for their logs while a job runs. */
    static final int KEPT_PODS = 10;

    @Override
    public void apply(JobObservation observation, ReconcilePlan plan) {
        if (plan.phase() != Phase.Forming && plan.phase() != Phase.Running) {
            return;
        }
        List<OperatorAction.NewPod> created = new ArrayList<>();
        scale(observation, plan, PodRole.SPAWNER, wantedSpawners(observation), created);
        scale(observation, plan, PodRole.DAEMON, wantedDaemons(observation.spec()), created);
        if (!created.isEmpty()) {
            plan.add(new OperatorAction.CreatePods(created));
        }
        deleteEnded(observation, plan);
    }

    /**
     * As in the spec. A number derived from the daemons only grows, since deleting a spawner costs its group more than it
     * saves.
     */
    private static int wantedSpawners(JobObservation observation) {
        int wanted = observation.spec().spawnerCount();
        return observation.spec().spawners().replicas() == null
                ? Math.max(wanted, (int) observation.counted(PodRole.SPAWNER).count())
                : wanted;
    }

    /** Number of computing daemons and standbys. */
    static int wantedDaemons(JobSpec spec) {
        return spec.daemons().computing() + spec.daemons().standbys();
    }

    private static void scale(
            JobObservation observation,
            ReconcilePlan plan,
            PodRole role,
            int wanted,
            List<OperatorAction.NewPod> created) {
        List<ObservedPod> counted = observation.counted(role).toList();
        int missing = wanted - counted.size();
        if (missing < 0 && !observation.hasReconciled()) {
            plan.requeue(UNTIL_POLLED); // which daemons serve a block is not known yet
            return;
        }
        if (missing < 0) {
            shrink(observation, plan, role, counted, -missing);
            return;
        }
        create(observation, plan, role, missing, created);
    }

    /** Adds this number of new pods, if it is positive. */
    static void create(
            JobObservation observation,
            ReconcilePlan plan,
            PodRole role,
            int missing,
            List<OperatorAction.NewPod> created) {
        if (missing <= 0) {
            return;
        }
        long first = observation.unused().of(role);
        reserveSerials(plan, role, first + missing - 1);
        Map<String, Integer> load = sizes(observation.counted(role).toList());
        for (long serial = first; serial < first + missing; serial++) {
            String group = role == PodRole.DAEMON ? group(observation.spec(), load) : "";
            load.merge(group, 1, Integer::sum);
            created.add(new OperatorAction.NewPod(new PodName(role, serial), group));
        }
    }

    private static void reserveSerials(ReconcilePlan plan, PodRole role, long needed) {
        JobStatus.Serials now = plan.status().serials();
        JobStatus.Serials known = now == null ? new JobStatus.Serials(-1, -1) : now;
        long highest = role == PodRole.DAEMON ? known.daemons() : known.spawners();
        if (needed > highest) {
            long next = needed + RESERVED_SERIALS;
            plan.change(status -> status.serials = role == PodRole.DAEMON
                    ? new JobStatus.Serials(next, known.spawners())
                    : new JobStatus.Serials(known.daemons(), next));
        }
    }

    /** The group of the highest priority that is not full; the last group if all are full. */
    private static String group(JobSpec spec, Map<String, Integer> load) {
        String last = "";
        for (var group : spec.workerGroups().stream()
                .sorted(Comparator.comparingInt(g -> -g.priority()))
                .toList()) {
            Integer max = group.maxReplicas();
            last = group.name();
            if (max == null || load.getOrDefault(group.name(), 0) < max) {
                return group.name();
            }
        }
        return last;
    }

    /** Deletes first pods of groups that have too many, then pods that do not run, then daemons without a block, then the newest. */
    private static void shrink(
            JobObservation observation, ReconcilePlan plan, PodRole role, List<ObservedPod> counted, int surplus) {
        Set<String> busy = observation.report().map(JobReport::busy).orElse(Set.of());
        Set<String> overfull = overfull(observation.spec(), sizes(counted));
        List<ObservedPod> surplusPods = counted.stream()
                .sorted(Comparator.<ObservedPod, Boolean>comparing(p -> !overfull.contains(p.group()))
                        .thenComparing(p -> PodClassifier.state(p) == PodState.RUNNING)
                        .thenComparing(p -> busy.contains(p.name()))
                        .thenComparing(ObservedPod::pod, Comparator.reverseOrder()))
                .limit(surplus)
                .toList();
        SortedMap<PodName, Integer> tracked =
                new TreeMap<>(TrackedPods.parse(plan.status().roster()).restartsByPod());
        Set<PodName> before =
                TrackedPods.parse(observation.status().roster()).restartsByPod().keySet();
        int deleted = 0;
        for (ObservedPod pod : surplusPods) {
            tracked.remove(pod.pod()); // deleted on purpose, not lost
            deleted += before.contains(pod.pod()) ? 1 : 0;
            plan.add(new OperatorAction.DeletePod(pod));
        }
        String left = new TrackedPods(tracked).toString();
        plan.change(next -> next.roster = left.isEmpty() ? null : left);
        if (deleted > 0) { // otherwise an earlier plan has deleted them, and the caches do not show it yet
            plan.add(new OperatorAction.PublishEvent(
                    EventReason.ScaledDown, deleted + " " + role.label() + (deleted == 1 ? "" : "s") + " too many"));
        }
    }

    private static Map<String, Integer> sizes(List<ObservedPod> counted) {
        Map<String, Integer> sizes = new HashMap<>();
        counted.forEach(p -> sizes.merge(p.group(), 1, Integer::sum));
        return sizes;
    }

    /** Worker groups with more daemons than they may have: one that counted as lost has come back. */
    private static Set<String> overfull(JobSpec spec, Map<String, Integer> sizes) {
        return spec.workerGroups().stream()
                .filter(g -> g.maxReplicas() != null && sizes.getOrDefault(g.name(), 0) > g.maxReplicas())
                .map(g -> g.name())
                .collect(Collectors.toSet());
    }

    private static void deleteEnded(JobObservation observation, ReconcilePlan plan) {
        boolean keep = observation.spec().podRetention() != JobSpec.PodRetention.None;
        observation.pods().stream()
                .filter(p -> PodClassifier.state(p).presence() == PodState.Presence.LOST && !p.deleting())
                .sorted(Comparator.comparing(ObservedPod::created).reversed())
                .skip(keep ? KEPT_PODS : 0)
                .forEach(p -> plan.add(new OperatorAction.DeletePod(p)));
    }
}
