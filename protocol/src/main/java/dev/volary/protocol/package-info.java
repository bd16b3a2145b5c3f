/**
 * Every distributed decision as a pure state machine: an event goes in, and a turn collects the actions. Nothing here
 * does I/O, starts a thread, reads a clock or draws a random number. The worker carries the messages of these machines, and
 * the simulator judges them in virtual time.
 *
 * <p>Start reading at {@link dev.volary.protocol.machine.Machine}, {@link dev.volary.protocol.machine.Turn} and
 * {@link dev.volary.protocol.message.Message}: a message is for daemons, spawners or leaders, and each topic has a file of its own.
 */
@NullMarked
package dev.volary.protocol;

import org.jspecify.annotations.NullMarked;
