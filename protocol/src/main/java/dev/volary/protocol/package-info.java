/**
 * Every distributed decision as a pure state machine: an event goes in, and a turn collects the actions. Nothing here
 * does I/O, starts a thread, reads a clock or draws a random number. The worker carries the messages of these machines, and
 * the simulator judges them in virtual time.
 */
@NullMarked
package dev.volary.protocol;

import org.jspecify.annotations.NullMarked;
