package dev.volary.operator.step;

import dev.volary.job.resource.Phase;
import dev.volary.job.spec.ResultSpec;
import dev.volary.operator.job.ConditionType;
import dev.volary.operator.job.Happening;
import dev.volary.operator.job.Reason;
import dev.volary.operator.pod.PodFacts;
import dev.volary.operator.pod.Role;
import dev.volary.operator.spawner.Report;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Says where the result of a job that succeeded is, and when it is lost. */
final class JudgeResult implements Step {
    @Override
    public void take(Seen seen, Draft draft) {
        if (seen.report().filter(Report::fetched).isPresent()) {
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
            draft.condition(ConditionType.ResultAvailable, false, Reason.ResultFetched, "");
        } else if (!holders.isEmpty()) {
            draft.condition(
                    ConditionType.ResultAvailable, true, Reason.OnSpawners, "held by " + String.join(" and ", holders));
        } else if (isLost(seen, left)) {
            String message = "no spawner that holds the result is left; apply the job again";
            if (!saysLost(seen)) {
                draft.then(new Action.Tell(Happening.ResultLost, message));
            }
            draft.condition(ConditionType.ResultAvailable, false, Reason.ResultLost, message);
        }
    }

    /** Whether the job has a result that only its spawners have, until it is fetched. */
    static boolean isOnSpawners(Seen seen) {
        return seen.phase() == Phase.Succeeded && seen.spec().result().destination() != ResultSpec.Destination.Volume;
    }

    /** Whether no spawner is left that holds the result or may hold it: one that does not answer may. */
    private static boolean isLost(Seen seen, Set<String> left) {
        return left.isEmpty()
                || seen.report()
                        .filter(report -> report.results().none().containsAll(left))
                        .isPresent();
    }

    private static Set<String> spawnersLeft(Seen seen) {
        return seen.pods().stream()
                .filter(pod -> pod.pod().role() == Role.SPAWNER)
                .filter(pod ->
                        pod.lifecycle() != PodFacts.Lifecycle.SUCCEEDED && pod.lifecycle() != PodFacts.Lifecycle.FAILED)
                .map(PodFacts::name)
                .collect(Collectors.toSet());
    }

    private static boolean saysLost(Seen seen) {
        return seen.status().conditions().stream().map(Condition::getReason).anyMatch(Reason.ResultLost.name()::equals);
    }
}
