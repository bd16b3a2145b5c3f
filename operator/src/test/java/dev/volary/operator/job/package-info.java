/** Tests of conditions and tracked pods. */
@NullMarked
package dev.volary.operator.job;

import org.jspecify.annotations.NullMarked;
