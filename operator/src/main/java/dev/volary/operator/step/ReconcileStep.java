// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.step;

/** One part of a decision. Steps run one after the other on the same draft; none does anything but write to it. */
@FunctionalInterface
interface ReconcileStep {
    void take(JobObservation seen, ReconcilePlan draft);
}
