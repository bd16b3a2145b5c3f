// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.step;

import dev.volary.job.resource.JobStatus;
import dev.volary.job.resource.Phase;
import dev.volary.job.spec.JobSpec;
import dev.volary.operator.job.EventReason;
import dev.volary.operator.job.TrackedPods;
import dev.volary.operator.pod.ObservedPod;
import dev.volary.operator.pod.PodClassifier;
import dev.volary.operator.pod.PodName;
import dev.volary.operator.pod.PodState;
import dev.volary.operator.pod.Role;
import dev.volary.operator.spawner.JobReport;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** Keeps as many workers as the spec wants: missing ones are created under new serials, surplus and dead ones deleted. */
final class ScaleWorkers implements ReconcileStep {
    /** Serials that are reserved beyond those that are needed, so that a replacement need not wait for a status. */
    static final int SPARE = 4;

    /** Dead pods that are kept for their logs while a job runs. */
    static final int KEPT = 10;

    @Override
    public void take(JobObservation seen, ReconcilePlan draft) {
        if (draft.phase() != Phase.Forming && draft.phase() != Phase.Running) {
            return;
        }
        List<OperatorAction.NewPod> created = new ArrayList<>();
        refill(seen, draft, Role.SPAWNER, wantedSpawners(seen), created);
        refill(seen, draft, Role.DAEMON, wantedDaemons(seen.spec()), created);
        if (!created.isEmpty()) {
            draft.then(new OperatorAction.CreatePods(created));
        }
        bury(seen, draft);
    }

    /** As given. A number that follows the daemons only grows: to delete a spawner would cost its group more than it saves. */
    private static int wantedSpawners(JobObservation seen) {
        int wanted = seen.spec().spawnerCount();
        return seen.spec().spawners().replicas() == null
                ? Math.max(wanted, (int) seen.held(Role.SPAWNER).count())
                : wanted;
    }

    /** Daemons that compute and standbys. */
    static int wantedDaemons(JobSpec spec) {
        return spec.daemons().computing() + spec.daemons().standbys();
    }

    private static void refill(
            JobObservation seen, ReconcilePlan draft, Role role, int wanted, List<OperatorAction.NewPod> created) {
        List<ObservedPod> held = seen.held(role).toList();
        int missing = wanted - held.size();
        if (missing < 0) {
            shrink(seen, draft, role, held, -missing);
            return;
        }
        if (missing == 0) {
            return;
        }
        long first = seen.unused().of(role);
        reserve(draft, role, first + missing - 1);
        Map<String, Integer> load = new HashMap<>();
        held.forEach(p -> load.merge(p.group(), 1, Integer::sum));
        for (long serial = first; serial < first + missing; serial++) {
            String group = role == Role.DAEMON ? group(seen.spec(), load) : "";
            load.merge(group, 1, Integer::sum);
            created.add(new OperatorAction.NewPod(new PodName(role, serial), group));
        }
    }

    private static void reserve(ReconcilePlan draft, Role role, long needed) {
        JobStatus.Serials now = draft.status().serials();
        JobStatus.Serials known = now == null ? new JobStatus.Serials(-1, -1) : now;
        long highest = role == Role.DAEMON ? known.daemons() : known.spawners();
        if (needed > highest) {
            long next = needed + SPARE;
            draft.change(status -> status.serials = role == Role.DAEMON
                    ? new JobStatus.Serials(next, known.spawners())
                    : new JobStatus.Serials(known.daemons(), next));
        }
    }

    /** The group of the highest priority that is not full; the last one takes what fits nowhere. */
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

    /** Deletes first what does not run, then what waits for a block, then the youngest. */
    private static void shrink(
            JobObservation seen, ReconcilePlan draft, Role role, List<ObservedPod> held, int surplus) {
        Set<String> busy = seen.report().map(JobReport::busy).orElse(Set.of());
        List<ObservedPod> victims = held.stream()
                .sorted(Comparator.<ObservedPod, Boolean>comparing(p -> PodClassifier.judge(p) == PodState.RUNNING)
                        .thenComparing(p -> busy.contains(p.name()))
                        .thenComparing(ObservedPod::pod, Comparator.reverseOrder()))
                .limit(surplus)
                .toList();
        SortedMap<PodName, Integer> roster =
                new TreeMap<>(TrackedPods.parse(draft.status().roster()).members());
        for (ObservedPod victim : victims) {
            roster.remove(victim.pod()); // asked for, not lost
            draft.then(new OperatorAction.DeletePod(victim));
        }
        String left = new TrackedPods(roster).toString();
        draft.change(next -> next.roster = left.isEmpty() ? null : left);
        draft.then(new OperatorAction.Tell(
                EventReason.ScaledDown, surplus + " " + role.label() + (surplus == 1 ? "" : "s") + " too many"));
    }

    private static void bury(JobObservation seen, ReconcilePlan draft) {
        boolean keep = seen.spec().podRetention() != JobSpec.PodRetention.None;
        seen.pods().stream()
                .filter(p -> PodClassifier.judge(p).place() == PodState.Presence.LOST && !p.deleting())
                .sorted(Comparator.comparing(ObservedPod::created).reversed())
                .skip(keep ? KEPT : 0)
                .forEach(p -> draft.then(new OperatorAction.DeletePod(p)));
    }
}
