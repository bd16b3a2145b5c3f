/**
 * Time stepping (docs/explanation/time-steps-and-rollback.md, "time steps"): how a certified vector becomes the result of a
 * step, everywhere or nowhere.
 */
@NullMarked
package dev.volary.protocol.step;

import org.jspecify.annotations.NullMarked;
