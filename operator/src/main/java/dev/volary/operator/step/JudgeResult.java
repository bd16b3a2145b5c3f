// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.step;

import dev.volary.job.resource.Phase;
import dev.volary.job.spec.ResultSpec;
import dev.volary.operator.job.ConditionReason;
import dev.volary.operator.job.ConditionType;
import dev.volary.operator.job.EventReason;
import dev.volary.operator.pod.ObservedPod;
import dev.volary.operator.pod.Role;
import dev.volary.operator.spawner.JobReport;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Says where the result of a job that succeeded is, and when it is lost. */
final class JudgeResult implements ReconcileStep {
    @Override
    public void take(JobObservation seen, ReconcilePlan draft) {
        if (seen.report().filter(JobReport::fetched).isPresent()) {
            draft.change(next -> next.resultFetched = true);
        }
        if (!isOnSpawners(seen)) {
            return;
        }
        Set<String> left = spawnersLeft(seen);
        Set<String> holders =
                new TreeSet<>(seen.report().map(r -> r.results().holders()).orElse(Set.of()));
        holders.retainAll(left); // the report may be older than the pods
        if (Boolean.TRUE.equals(draft.status().resultFetched())) {
            draft.condition(ConditionType.ResultAvailable, false, ConditionReason.ResultFetched, "");
        } else if (!holders.isEmpty()) {
            draft.condition(
                    ConditionType.ResultAvailable,
                    true,
                    ConditionReason.OnSpawners,
                    "held by " + String.join(" and ", holders));
        } else if (isLost(seen, left)) {
            String message = "no spawner that holds the result is left; apply the job again";
            if (!saysLost(seen)) {
                draft.then(new OperatorAction.Tell(EventReason.ResultLost, message));
            }
            draft.condition(ConditionType.ResultAvailable, false, ConditionReason.ResultLost, message);
        }
    }

    /** Whether the job has a result that only its spawners have, until it is fetched. */
    static boolean isOnSpawners(JobObservation seen) {
        return seen.phase() == Phase.Succeeded && seen.spec().result().destination() != ResultSpec.Destination.Volume;
    }

    /** Whether no spawner is left that holds the result or may hold it: one that does not answer may. */
    private static boolean isLost(JobObservation seen, Set<String> left) {
        return left.isEmpty()
                || seen.report()
                        .filter(report -> report.results().none().containsAll(left))
                        .isPresent();
    }

    private static Set<String> spawnersLeft(JobObservation seen) {
        return seen.pods().stream()
                .filter(pod -> pod.pod().role() == Role.SPAWNER)
                .filter(pod -> pod.lifecycle() != ObservedPod.Lifecycle.SUCCEEDED
                        && pod.lifecycle() != ObservedPod.Lifecycle.FAILED)
                .map(ObservedPod::name)
                .collect(Collectors.toSet());
    }

    private static boolean saysLost(JobObservation seen) {
        return seen.status().conditions().stream()
                .map(Condition::getReason)
                .anyMatch(ConditionReason.ResultLost.name()::equals);
    }
}
