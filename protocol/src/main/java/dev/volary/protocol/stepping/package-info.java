/**
 * Time steps (docs/explanation/time-steps-and-rollback.md, "time steps"): how a certified vector becomes the result of a step,
 * everywhere or nowhere. One class each for daemon, group and leader; the journal keeps what counts.
 */
@NullMarked
package dev.volary.protocol.stepping;

import org.jspecify.annotations.NullMarked;
