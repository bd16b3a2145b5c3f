// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.step;

import dev.volary.job.resource.JobStatus.Transition;
import dev.volary.job.resource.Phase;
import dev.volary.operator.job.ConditionReason;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** Ends a job that takes too long to start, or too long in all. Time in suspension counts for neither. */
final class EnforceLimits implements ReconcileStep {
    /** The workers know the deadline of the whole too, and can say how far they came. */
    private static final Duration LEAD_SPEAKS_FIRST = Duration.ofSeconds(15);

    @Override
    public void take(JobObservation seen, ReconcilePlan draft) {
        Phase phase = draft.phase();
        if (phase != Phase.Forming && phase != Phase.Running && phase != Phase.Pending) {
            return;
        }
        Integer active = seen.spec().activeDeadlineSeconds();
        if (active != null) {
            Duration left = Duration.ofSeconds(active).plus(LEAD_SPEAKS_FIRST).minus(active(seen));
            if (left.isZero() || left.isNegative()) {
                Ending.fail(
                        draft,
                        ConditionReason.DeadlineExceeded,
                        "active for longer than spec.activeDeadlineSeconds, which is " + active);
                return;
            }
            draft.lookAgain(left);
        }
        Integer starting = seen.spec().preRunningDeadlineSeconds();
        if (starting != null && phase != Phase.Running) {
            Duration left = Duration.ofSeconds(starting).minus(Duration.between(startedForming(seen), seen.now()));
            if (left.isZero() || left.isNegative()) {
                String obstacle =
                        PodProblem.of(seen).map(t -> ": " + t.message()).orElse("");
                Ending.fail(
                        draft,
                        ConditionReason.NeverStarted,
                        "did not iterate within spec.preRunningDeadlineSeconds, which is " + starting + obstacle);
                return;
            }
            draft.lookAgain(left);
        }
    }

    private static Duration active(JobObservation seen) {
        Duration total = Duration.ZERO;
        List<Transition> history = seen.status().stateTransitions();
        for (int i = 0; i < history.size(); i++) {
            Instant end =
                    i + 1 < history.size() ? Instant.parse(history.get(i + 1).time()) : seen.now();
            if (history.get(i).phase() != Phase.Suspended) {
                total = total.plus(Duration.between(Instant.parse(history.get(i).time()), end));
            }
        }
        return total;
    }

    private static Instant startedForming(JobObservation seen) {
        List<Transition> history = seen.status().stateTransitions();
        for (int i = history.size() - 1; i >= 0; i--) {
            if (history.get(i).phase() == Phase.Forming) {
                return Instant.parse(history.get(i).time());
            }
        }
        String start = seen.status().startTime();
        return start == null ? seen.now() : Instant.parse(start);
    }
}
