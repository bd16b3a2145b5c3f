// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.plan;

import dev.volary.job.resource.Phase;
import dev.volary.operator.status.ConditionReason;
import dev.volary.operator.status.ConditionType;
import dev.volary.operator.status.Conditions;
import dev.volary.operator.status.EventReason;
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
        if (plan.phase() == Phase.Pending) {
            plan.stall(ConditionReason.InvalidSpec, message);
        }
    }
}
