// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.machine;

/**
 * A pure state machine: deterministic, single threaded, without I/O, clocks or randomness.
 *
 * @param <E> what happens to it
 * @param <T> what one call of it may want done
 */
public interface Machine<E, T extends Turn> {

    /** Takes one event; what the machine wants done is added to the turn, which also says what time it is. */
    void on(E event, T turn);
}
