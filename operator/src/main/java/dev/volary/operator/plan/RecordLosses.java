// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.plan;

import dev.volary.job.resource.JobStatus;
import dev.volary.operator.pod.ContainerExit;
import dev.volary.operator.pod.LossCause;
import dev.volary.operator.pod.ObservedPod;
import dev.volary.operator.pod.PodClassifier;
import dev.volary.operator.pod.PodName;
import dev.volary.operator.pod.PodState;
import dev.volary.operator.spawner.SpawnerClients;
import dev.volary.operator.status.EventReason;
import dev.volary.operator.status.TrackedPods;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Compares the pods with the tracked ones: counts each lost pod and each restart of a container once, by its cause. Counts and
 * tracked pods are written in the same status.
 */
final class RecordLosses implements ReconcileStep {
    @Override
    public void apply(JobObservation observation, ReconcilePlan plan) {
        SortedMap<PodName, Integer> tracked =
                new TreeMap<>(TrackedPods.parse(observation.status().roster()).restartsByPod());
        Map<LossCause, Integer> losses = new EnumMap<>(LossCause.class);
        Set<PodName> existing = new HashSet<>();
        for (ObservedPod pod : observation.pods()) {
            existing.add(pod.pod());
            PodState state = PodClassifier.state(pod);
            boolean isTracked = tracked.containsKey(pod.pod());
            if (state.presence() == PodState.Presence.COUNTED
                    && !isTracked
                    && observation.history().followed().contains(pod.pod())) {
                continue; // another operator has counted its loss, and the cache of this one is late
            }
            if (state.presence() == PodState.Presence.COUNTED) {
                // a pod that is not tracked is new, or is surplus, and its restarts were counted before
                int counted = tracked.getOrDefault(pod.pod(), pod.restarts());
                if (pod.restarts() > counted) {
                    restarted(pod, pod.restarts() - counted, losses, plan);
                }
                tracked.put(pod.pod(), Math.max(counted, pod.restarts()));
            } else if (isTracked) {
                tracked.remove(pod.pod());
                lost(pod, state, losses, plan);
            }
        }
        tracked.keySet().removeIf(pod -> {
            if (existing.contains(pod) || !observation.history().seen().contains(pod)) {
                return false; // another operator may have created it just now
            }
            String name = pod.of(observation.name());
            losses.merge(LossCause.DISRUPTION, 1, Integer::sum);
            plan.add(new OperatorAction.PublishEvent(
                    EventReason.WorkerLost, name + " was deleted without a final state"));
            plan.add(new OperatorAction.SendHint(name, SpawnerClients.Hint.GONE));
            return true;
        });
        losses.forEach((cause, workers) -> plan.add(new OperatorAction.CountLosses(cause, workers)));
        write(new TrackedPods(tracked).toString(), losses, plan);
    }

    private static void restarted(ObservedPod pod, int times, Map<LossCause, Integer> losses, ReconcilePlan plan) {
        ContainerExit end = pod.newestEnd().orElse(new ContainerExit(0, "", ""));
        String how = pod.name() + " ended with " + end + " and is restarted";
        if (end.isFailure()) {
            losses.merge(LossCause.FAILURE, times, Integer::sum);
            plan.add(new OperatorAction.PublishEvent(EventReason.WorkerFailed, how));
        } else if (end.code() != 0 && end.code() != ContainerExit.EVICTED) {
            losses.merge(LossCause.DISRUPTION, times, Integer::sum);
            plan.add(new OperatorAction.PublishEvent(EventReason.WorkerLost, how));
        }
    }

    private static void lost(ObservedPod pod, PodState state, Map<LossCause, Integer> losses, ReconcilePlan plan) {
        LossCause cause = state.cause().orElseThrow();
        losses.merge(cause, 1, Integer::sum);
        String how = pod.name() + ": "
                + PodClassifier.row(pod).name().toLowerCase(Locale.ROOT).replace('_', ' ')
                + (pod.reason().isEmpty() ? "" : " (" + pod.reason() + ")");
        plan.add(new OperatorAction.PublishEvent(
                switch (cause) {
                    case VOLUNTARY -> EventReason.WorkerLeft;
                    case DISRUPTION -> EventReason.WorkerLost;
                    case FAILURE -> EventReason.WorkerFailed;
                },
                how));
    }

    private static void write(String trackedPods, Map<LossCause, Integer> losses, ReconcilePlan plan) {
        plan.change(next -> {
            next.roster = trackedPods.isEmpty() ? null : trackedPods;
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
