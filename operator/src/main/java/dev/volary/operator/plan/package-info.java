/**
 * Plans for a job, as a pure function: no input or output, no clock. {@link dev.volary.operator.plan.ReconcilePlanner} applies
 * the {@code ReconcileStep}s of the phase to a {@link dev.volary.operator.plan.JobObservation}; the result is a {@link
 * dev.volary.operator.plan.ReconcilePlan} with the next status and {@link dev.volary.operator.plan.OperatorAction}s.
 *
 * <p>Example: {@code spec.daemons.replicas} is 4 and three daemon pods count, so {@code ScaleWorkers} reserves a serial and
 * adds {@code CreatePods}.
 */
@NullMarked
package dev.volary.operator.plan;

import org.jspecify.annotations.NullMarked;
