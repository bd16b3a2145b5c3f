/** What the operator remembers and says of a job: roster, conditions, events. */
@NullMarked
package dev.volary.operator.job;

import org.jspecify.annotations.NullMarked;
