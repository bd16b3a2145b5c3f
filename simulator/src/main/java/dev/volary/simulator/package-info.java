/**
 * Runs the protocols and real solver blocks in virtual time: seeded, replayable, under delay, loss, duplication and
 * reordering. Every run is judged by the same invariants, whatever the scenario.
 */
@NullMarked
package dev.volary.simulator;

import org.jspecify.annotations.NullMarked;
