// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol;

/** A pure state machine: deterministic, single threaded, without I/O, clocks or randomness. */
public interface Machine {

    /**
     * Takes one event.
     *
     * @param now nanoseconds of this node's clock; never goes back
     */
    Turn on(Event event, long now);
}
