/** Tests of the objects of a job. */
@NullMarked
package dev.volary.operator.resources;

import org.jspecify.annotations.NullMarked;
