// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.plan;

import dev.volary.job.resource.Phase;
import dev.volary.job.spec.ResultSpec;
import dev.volary.operator.pod.ObservedPod;
import dev.volary.operator.pod.PodRole;
import dev.volary.operator.spawner.JobReport;
import dev.volary.operator.status.ConditionReason;
import dev.volary.operator.status.ConditionType;
import dev.volary.operator.status.EventReason;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Shows where the result of a successful job is, or that it is lost. */
final class JudgeResult implements ReconcileStep {
    @Override
    public void apply(JobObservation observation, ReconcilePlan plan) {
        if (observation.report().filter(JobReport::fetched).isPresent()) {
            plan.change(next -> next.resultFetched = true);
        }
        if (!isOnSpawners(observation)) {
            return;
        }
        Set<String> left = spawnersLeft(observation);
        Set<String> holders = new TreeSet<>(
                observation.report().map(r -> r.results().holders()).orElse(Set.of()));
        holders.retainAll(left); // the report may name pods that no longer exist
        if (Boolean.TRUE.equals(plan.status().resultFetched())) {
            plan.condition(ConditionType.ResultAvailable, false, ConditionReason.ResultFetched, "");
        } else if (!holders.isEmpty()) {
            plan.condition(
                    ConditionType.ResultAvailable,
                    true,
                    ConditionReason.OnSpawners,
                    "held by " + String.join(" and ", holders));
        } else if (isLost(observation, left)) {
            String message = "no spawner that holds the result is left; delete the job and apply it again";
            if (!isLossShown(observation)) {
                plan.add(new OperatorAction.PublishEvent(EventReason.ResultLost, message));
            }
            plan.condition(ConditionType.ResultAvailable, false, ConditionReason.ResultLost, message);
        }
    }

    /** Whether only the spawners of the job hold its result until it is fetched. */
    static boolean isOnSpawners(JobObservation observation) {
        return observation.phase() == Phase.Succeeded
                && observation.spec().result().destination() != ResultSpec.Destination.Volume;
    }

    /** Whether no spawner is left that holds or may hold the result; a spawner that does not answer may hold it. */
    private static boolean isLost(JobObservation observation, Set<String> left) {
        return left.isEmpty()
                || observation
                        .report()
                        .filter(report -> report.results().none().containsAll(left))
                        .isPresent();
    }

    private static Set<String> spawnersLeft(JobObservation observation) {
        return observation.pods().stream()
                .filter(pod -> pod.pod().role() == PodRole.SPAWNER)
                .filter(pod -> !pod.hasEnded())
                .map(ObservedPod::name)
                .collect(Collectors.toSet());
    }

    private static boolean isLossShown(JobObservation observation) {
        return observation.status().conditions().stream()
                .map(Condition::getReason)
                .anyMatch(ConditionReason.ResultLost.name()::equals);
    }
}
