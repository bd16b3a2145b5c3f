/** The operator's numbers for Prometheus. */
@NullMarked
package dev.volary.operator.metrics;

import org.jspecify.annotations.NullMarked;
