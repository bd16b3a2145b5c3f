/** Time stepping (algorithms reference §A.5): how a certified vector becomes the result of a step, everywhere or nowhere. */
@NullMarked
package dev.volary.protocol.step;

import org.jspecify.annotations.NullMarked;
