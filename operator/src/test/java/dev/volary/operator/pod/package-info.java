/** Tests of the classification of pods. */
@NullMarked
package dev.volary.operator.pod;

import org.jspecify.annotations.NullMarked;
