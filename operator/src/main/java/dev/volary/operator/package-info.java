/**
 * The operator process: configuration, start and stop, probes and metrics page. {@code StartedOperator} starts a
 * {@link dev.volary.operator.reconcile.RunningOperator} with the settings of {@code Environment}.
 */
@NullMarked
package dev.volary.operator;

import org.jspecify.annotations.NullMarked;
