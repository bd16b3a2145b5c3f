/**
 * The synchronous scheme when workers die (design §9): coordinated checkpoints, and the way back to the newest one that every
 * block can restore. Pure.
 */
@NullMarked
package dev.volary.protocol.rollback;

import org.jspecify.annotations.NullMarked;
