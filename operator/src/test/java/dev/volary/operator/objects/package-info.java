/** Tests of the objects of a job. */
@NullMarked
package dev.volary.operator.objects;

import org.jspecify.annotations.NullMarked;
