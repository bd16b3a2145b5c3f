/**
 * Judges failure detection: groups of processes that watch each other, in virtual time, under loss, delay, pauses, cuts, clock
 * drift and crashes.
 */
@NullMarked
package dev.volary.simulator.watch;

import org.jspecify.annotations.NullMarked;
