// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.step;

import dev.volary.operator.job.ConditionReason;
import dev.volary.operator.job.ConditionType;
import dev.volary.operator.job.Conditions;
import dev.volary.operator.job.EventReason;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.Objects;
import java.util.Optional;

/** Shows in the status that the operator cannot work on the job, and that it can again. */
final class ShowFailedAttempt implements ReconcileStep {
    @Override
    public void take(JobObservation seen, ReconcilePlan draft) {
        Optional<Condition> failing = Conditions.find(seen.status().conditions(), ConditionType.Reconciled)
                .filter(c -> c.getStatus().equals("False"));
        if (seen.failure().isEmpty()) {
            if (failing.isPresent() && seen.works()) {
                draft.condition(ConditionType.Reconciled, true, ConditionReason.Reconciled, "");
            }
            return;
        }
        FailedAttempt failure = seen.failure().get();
        boolean known = failing.filter(
                        c -> failure.isLike(c.getReason(), Objects.requireNonNullElse(c.getMessage(), "")))
                .isPresent();
        if (!known) {
            draft.condition(ConditionType.Reconciled, false, failure.reason(), failure.message());
        }
        if (failing.isEmpty()) {
            draft.then(new OperatorAction.Tell(EventReason.ReconcileFailed, failure.message()));
        }
    }
}
