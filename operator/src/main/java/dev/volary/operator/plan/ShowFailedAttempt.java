// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.plan;

import dev.volary.operator.status.ConditionReason;
import dev.volary.operator.status.ConditionType;
import dev.volary.operator.status.Conditions;
import dev.volary.operator.status.EventReason;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.Objects;
import java.util.Optional;

/** Shows in the status that the operator fails to reconcile the job, and when it succeeds again. */
final class ShowFailedAttempt implements ReconcileStep {
    @Override
    public void apply(JobObservation observation, ReconcilePlan plan) {
        Optional<Condition> failing = Conditions.find(observation.status().conditions(), ConditionType.Reconciled)
                .filter(c -> c.getStatus().equals("False"));
        if (observation.failure().isEmpty()) {
            if (failing.isPresent() && observation.hasReconciled()) {
                plan.condition(ConditionType.Reconciled, true, ConditionReason.Reconciled, "");
            }
            return;
        }
        FailedAttempt failure = observation.failure().get();
        boolean known = failing.filter(
                        c -> failure.isLike(c.getReason(), Objects.requireNonNullElse(c.getMessage(), "")))
                .isPresent();
        if (!known) {
            plan.condition(ConditionType.Reconciled, false, failure.reason(), failure.message());
        }
        if (failing.isEmpty()) {
            plan.add(new OperatorAction.PublishEvent(EventReason.ReconcileFailed, failure.message()));
        }
    }
}
