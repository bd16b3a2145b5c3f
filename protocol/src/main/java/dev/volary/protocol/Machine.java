// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol;

/** A pure state machine: deterministic, single threaded, without I/O, clocks or randomness. */
public interface Machine {

    /** Takes one event; what the machine wants done is added to the turn, which also says what time it is. */
    void on(Event event, Turn turn);
}
