// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.plan;

import dev.volary.job.resource.Phase;
import dev.volary.operator.pod.ObservedPod;
import dev.volary.operator.pod.PodRole;
import dev.volary.operator.status.ConditionReason;
import dev.volary.operator.status.ConditionType;
import dev.volary.operator.status.Conditions;
import dev.volary.operator.status.EventReason;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Shows where the result of a job is that has succeeded, or has reached its deadline with an answer; or that it is lost. */
final class JudgeResult implements ReconcileStep {
    @Override
    public void apply(JobObservation observation, ReconcilePlan plan) {
        ApplyJobReport.applyResult(observation, plan);
        @Nullable String location = plan.status().resultLocation();
        if (location != null) {
            plan.condition(ConditionType.ResultAvailable, true, ConditionReason.Published, "in " + location);
            return;
        } else if (!hasResult(observation)) {
            return;
        }
        Set<String> left = spawnersLeft(observation);
        Set<String> holders = new TreeSet<>(
                observation.report().map(r -> r.results().holders()).orElse(Set.of()));
        holders.retainAll(left); // the report may name pods that no longer exist
        if (Boolean.TRUE.equals(plan.status().resultFetched())) {
            plan.condition(ConditionType.ResultAvailable, false, ConditionReason.ResultFetched, "");
        } else if (!holders.isEmpty()) {
            held(observation, plan, "held by " + String.join(" and ", holders) + alone(holders.size(), observation));
        } else if (isLost(observation)) {
            String message = "no spawner that holds the result is left; delete the job and apply it again";
            if (!Conditions.show(observation.status().conditions(), ConditionReason.ResultLost)) {
                plan.add(new OperatorAction.PublishEvent(EventReason.ResultLost, message));
            }
            plan.condition(ConditionType.ResultAvailable, false, ConditionReason.ResultLost, message);
        }
    }

    private static String alone(int holders, JobObservation observation) {
        if (holders > 1) {
            return "";
        }
        return ReplaceHolders.holders(observation) > 1
                ? " alone until another spawner has a copy"
                : " alone: its loss before the fetch would lose the result";
    }

    /** Says who holds the result, and warns while there is time before it is deleted. */
    private static void held(JobObservation observation, ReconcilePlan plan, String message) {
        Optional<TimeToLive> time = TimeToLive.of(observation);
        if (time.isEmpty() || observation.now().isBefore(time.get().warning())) {
            time.ifPresent(t -> plan.requeue(Duration.between(observation.now(), t.warning())));
            plan.condition(ConditionType.ResultAvailable, true, ConditionReason.OnSpawners, message);
            return;
        }
        String warning = message + "; spec.ttlSecondsAfterFinished deletes it at "
                + time.get().deletion().truncatedTo(ChronoUnit.SECONDS);
        if (!Conditions.show(observation.status().conditions(), ConditionReason.ExpiresSoon)) {
            plan.add(new OperatorAction.PublishEvent(EventReason.ResultExpires, warning));
        }
        plan.condition(ConditionType.ResultAvailable, true, ConditionReason.ExpiresSoon, warning);
    }

    /** Whether the spawners of the job must stay, because only they hold its result. */
    static boolean isOnSpawners(JobObservation observation, ReconcilePlan plan) {
        return hasResult(observation)
                && plan.status().resultLocation() == null
                && !Boolean.TRUE.equals(plan.status().resultFetched());
    }

    /** Whether the job has ended with a result, be it certified or the best answer before its deadline. */
    private static boolean hasResult(JobObservation observation) {
        return observation.phase() == Phase.Succeeded
                || (observation.phase() == Phase.Failed
                        && Conditions.find(observation.status().conditions(), ConditionType.Failed)
                                .filter(failed -> failed.getReason().equals(ConditionReason.NotConverged.name()))
                                .isPresent());
    }

    /** Whether no spawner is left that holds or may hold the result; a spawner that does not answer may hold it. */
    static boolean isLost(JobObservation observation) {
        Set<String> left = spawnersLeft(observation);
        return left.isEmpty()
                || observation
                        .report()
                        .filter(report -> report.results().none().containsAll(left))
                        .isPresent();
    }

    private static Set<String> spawnersLeft(JobObservation observation) {
        return observation.pods().stream()
                .filter(pod -> pod.pod().role() == PodRole.SPAWNER)
                .filter(ObservedPod::mayHoldResult)
                .map(ObservedPod::name)
                .collect(Collectors.toSet());
    }
}
