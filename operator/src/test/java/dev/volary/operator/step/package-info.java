/** Tests of the decisions, with plain objects. */
@NullMarked
package dev.volary.operator.step;

import org.jspecify.annotations.NullMarked;
