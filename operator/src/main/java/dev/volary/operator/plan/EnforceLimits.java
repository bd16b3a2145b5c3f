// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.plan;

import dev.volary.job.resource.JobStatus.Transition;
import dev.volary.job.resource.Phase;
import dev.volary.job.spec.ResultSpec;
import dev.volary.operator.status.ConditionReason;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * Fails a job that exceeds its retries, its time to start or its active time. Suspended time does not count. Waits for the first
 * poll of the spawners after a start of the operator: the job may have ended while no operator ran, and its result must stay.
 */
final class EnforceLimits implements ReconcileStep {
    /**
     * The workers enforce the active deadline too and deliver their best answer, so the operator waits for them: ten seconds for the last
     * snapshot, and some until they are polled.
     */
    private static final Duration WORKERS_FIRST = Duration.ofSeconds(30);

    /** Workers store a result for longer than the deadline if they must. They give up after a quarter of an hour. */
    private static final Duration STORING = Duration.ofMinutes(16);

    private static final Duration UNTIL_POLLED = Duration.ofSeconds(1);

    @Override
    public void apply(JobObservation observation, ReconcilePlan plan) {
        Integer retries = plan.status().retriesUsed();
        int allowed = observation.spec().failurePolicy().maxRetries();
        if (retries != null && retries > allowed) {
            fail(
                    observation,
                    plan,
                    ConditionReason.RetriesExhausted,
                    "spec.failurePolicy.maxRetries is " + allowed + ", and workers failed " + retries
                            + " times; read the logs of the pods that failed");
            return;
        }
        Phase phase = plan.phase();
        if (phase != Phase.Forming && phase != Phase.Running && phase != Phase.Pending) {
            return;
        }
        Integer active = observation.spec().activeDeadlineSeconds();
        if (active != null) {
            Duration patience = mayBeStoring(observation, phase) ? WORKERS_FIRST.plus(STORING) : WORKERS_FIRST;
            Duration left = Duration.ofSeconds(active)
                    .plus(patience)
                    .minus(observation.status().active(observation.now()));
            if (left.isZero() || left.isNegative()) {
                fail(
                        observation,
                        plan,
                        ConditionReason.DeadlineExceeded,
                        "spec.activeDeadlineSeconds is " + active + ", and the job was active for longer; raise it");
                return;
            }
            plan.requeue(left);
        }
        Integer starting = observation.spec().preRunningDeadlineSeconds();
        if (starting != null && phase != Phase.Running) {
            Duration left = Duration.ofSeconds(starting)
                    .minus(Duration.between(startedForming(observation), observation.now()));
            if (left.isZero() || left.isNegative()) {
                String obstacle =
                        PodProblem.of(observation).map(t -> ": " + t.message()).orElse("");
                fail(
                        observation,
                        plan,
                        ConditionReason.NeverStarted,
                        "spec.preRunningDeadlineSeconds is " + starting + ", and no block iterated within it"
                                + obstacle);
                return;
            }
            plan.requeue(left);
        }
    }

    private static void fail(JobObservation observation, ReconcilePlan plan, ConditionReason reason, String message) {
        if (observation.hasReconciled()) {
            plan.fail(reason, message);
        } else {
            plan.requeue(UNTIL_POLLED);
        }
    }

    /**
     * Whether the workers, which end the job at its deadline, may still bring its result to the storage that the job names. That
     * no spawner answers does not show the opposite.
     */
    private static boolean mayBeStoring(JobObservation observation, Phase phase) {
        ResultSpec.Destination destination = observation.spec().result().destination();
        return phase == Phase.Running
                && (destination == ResultSpec.Destination.Volume || destination == ResultSpec.Destination.ObjectStore);
    }

    private static Instant startedForming(JobObservation observation) {
        List<Transition> history = observation.status().stateTransitions();
        for (int i = history.size() - 1; i >= 0; i--) {
            if (history.get(i).phase() == Phase.Forming) {
                return Instant.parse(history.get(i).time());
            }
        }
        String start = observation.status().startTime();
        return start == null ? observation.now() : Instant.parse(start);
    }
}
