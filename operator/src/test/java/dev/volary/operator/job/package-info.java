/** Tests of roster and conditions. */
@NullMarked
package dev.volary.operator.job;

import org.jspecify.annotations.NullMarked;
