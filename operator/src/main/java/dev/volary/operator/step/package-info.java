/** The decisions: small steps from what is seen of a job to its next status and to actions. No input or output, no clock. */
@NullMarked
package dev.volary.operator.step;

import org.jspecify.annotations.NullMarked;
