// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.step;

import dev.volary.operator.job.ConditionReason;
import dev.volary.operator.job.ConditionType;
import dev.volary.operator.job.Conditions;
import dev.volary.operator.job.EventReason;
import io.fabric8.kubernetes.api.model.Condition;

/** Shows errors of the spec. A pending job does not start; an active job continues unchanged. */
final class ValidateSpec implements ReconcileStep {
    @Override
    public void apply(JobObservation observation, ReconcilePlan plan) {
        if (observation.errors().isEmpty()) {
            return;
        }
        String message = String.join("; ", observation.errors());
        boolean known = Conditions.find(observation.status().conditions(), ConditionType.Ready)
                .map(Condition::getMessage)
                .filter(message::equals)
                .isPresent();
        if (!known) {
            plan.add(new OperatorAction.PublishEvent(EventReason.InvalidSpec, message));
        }
        plan.condition(ConditionType.Ready, false, ConditionReason.InvalidSpec, message);
    }
}
