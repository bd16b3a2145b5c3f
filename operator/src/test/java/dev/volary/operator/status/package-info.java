/** Tests of conditions and tracked pods. */
@NullMarked
package dev.volary.operator.status;

import org.jspecify.annotations.NullMarked;
