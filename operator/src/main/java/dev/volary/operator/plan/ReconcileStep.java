// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.plan;

/** One step of planning. Steps run in order on the same plan and do nothing but change it. */
@FunctionalInterface
interface ReconcileStep {
    void apply(JobObservation observation, ReconcilePlan plan);
}
