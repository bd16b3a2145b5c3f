/** The metrics of the operator for Prometheus: {@link dev.volary.operator.metrics.OperatorMetrics}. */
@NullMarked
package dev.volary.operator.metrics;

import org.jspecify.annotations.NullMarked;
