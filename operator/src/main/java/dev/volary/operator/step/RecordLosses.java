// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.step;

import dev.volary.job.resource.JobStatus;
import dev.volary.operator.job.EventReason;
import dev.volary.operator.job.TrackedPods;
import dev.volary.operator.pod.ContainerExit;
import dev.volary.operator.pod.LossCause;
import dev.volary.operator.pod.ObservedPod;
import dev.volary.operator.pod.PodClassifier;
import dev.volary.operator.pod.PodName;
import dev.volary.operator.pod.PodState;
import dev.volary.operator.spawner.SpawnerClients;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Compares the pods with the roster: each lost pod and each restart of a container is counted once, by its cause. The counts
 * and the roster without the lost are written together.
 */
final class RecordLosses implements ReconcileStep {
    @Override
    public void take(JobObservation seen, ReconcilePlan draft) {
        SortedMap<PodName, Integer> members =
                new TreeMap<>(TrackedPods.parse(seen.status().roster()).members());
        Map<LossCause, Integer> losses = new EnumMap<>(LossCause.class);
        Set<PodName> there = new HashSet<>();
        for (ObservedPod pod : seen.pods()) {
            there.add(pod.pod());
            PodState state = PodClassifier.judge(pod);
            boolean known = members.containsKey(pod.pod());
            if (state.place() == PodState.Presence.HELD) {
                int counted = members.getOrDefault(pod.pod(), 0);
                if (pod.restarts() > counted) {
                    restarted(pod, pod.restarts() - counted, losses, draft);
                }
                members.put(pod.pod(), Math.max(counted, pod.restarts()));
            } else if (known) {
                members.remove(pod.pod());
                lost(pod, state, losses, draft);
            }
        }
        members.keySet().removeIf(pod -> {
            if (there.contains(pod)) {
                return false;
            }
            String name = pod.of(seen.name());
            losses.merge(LossCause.DISRUPTION, 1, Integer::sum);
            draft.then(new OperatorAction.Tell(EventReason.WorkerLost, name + " is gone without a trace"));
            draft.then(new OperatorAction.PassHint(name, SpawnerClients.Hint.GONE));
            return true;
        });
        losses.forEach((cause, workers) -> draft.then(new OperatorAction.CountLosses(cause, workers)));
        write(new TrackedPods(members).toString(), losses, draft);
    }

    private static void restarted(ObservedPod pod, int times, Map<LossCause, Integer> losses, ReconcilePlan draft) {
        ContainerExit end = pod.newestEnd().orElse(new ContainerExit(0, "", ""));
        String how = pod.name() + " ended with " + end + " and is started again";
        if (end.isFailure()) {
            losses.merge(LossCause.FAILURE, times, Integer::sum);
            draft.then(new OperatorAction.Tell(EventReason.WorkerFailed, how));
        } else if (end.code() != 0 && end.code() != ContainerExit.FENCED) {
            losses.merge(LossCause.DISRUPTION, times, Integer::sum);
            draft.then(new OperatorAction.Tell(EventReason.WorkerLost, how));
        }
    }

    private static void lost(ObservedPod pod, PodState state, Map<LossCause, Integer> losses, ReconcilePlan draft) {
        LossCause cause = state.cause().orElseThrow();
        losses.merge(cause, 1, Integer::sum);
        String how = pod.name() + " is "
                + PodClassifier.row(pod).name().toLowerCase(Locale.ROOT).replace('_', ' ')
                + (pod.reason().isEmpty() ? "" : " (" + pod.reason() + ")");
        draft.then(new OperatorAction.Tell(
                switch (cause) {
                    case VOLUNTARY -> EventReason.WorkerLeft;
                    case DISRUPTION -> EventReason.WorkerLost;
                    case FAILURE -> EventReason.WorkerFailed;
                },
                how));
    }

    private static void write(String roster, Map<LossCause, Integer> losses, ReconcilePlan draft) {
        draft.change(next -> {
            next.roster = roster.isEmpty() ? null : roster;
            JobStatus.Replacements before =
                    next.replacements == null ? new JobStatus.Replacements(0, 0, 0, 0) : next.replacements;
            int voluntary = losses.getOrDefault(LossCause.VOLUNTARY, 0);
            int disruptions = losses.getOrDefault(LossCause.DISRUPTION, 0);
            int failures = losses.getOrDefault(LossCause.FAILURE, 0);
            next.replacements = new JobStatus.Replacements(
                    before.total() + voluntary + disruptions + failures,
                    before.voluntary() + voluntary,
                    before.disruption() + disruptions,
                    before.failure() + failures);
            next.retriesUsed = (next.retriesUsed == null ? 0 : next.retriesUsed) + failures;
        });
    }
}
