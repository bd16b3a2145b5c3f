/** Tests of the decisions, with plain objects. */
@NullMarked
package dev.volary.operator.plan;

import org.jspecify.annotations.NullMarked;
