/** Worker pods as the operator judges them: what is known of one, and what state that makes. */
@NullMarked
package dev.volary.operator.pod;

import org.jspecify.annotations.NullMarked;
