/** Tests of the judgement on pods. */
@NullMarked
package dev.volary.operator.pod;

import org.jspecify.annotations.NullMarked;
