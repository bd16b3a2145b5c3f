/**
 * The synchronous scheme when workers die (docs/explanation/time-steps-and-rollback.md, "rollback in the synchronous scheme"):
 * coordinated checkpoints, and the way back to the newest one that every block can restore. Pure.
 */
@NullMarked
package dev.volary.protocol.rollback;

import org.jspecify.annotations.NullMarked;
