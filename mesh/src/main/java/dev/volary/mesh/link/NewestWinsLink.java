// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.link;

/** Asynchronous scheme: the newest values win; those of the two newest rounds where blocks work in rounds. */
public non-sealed interface NewestWinsLink extends IncomingLink {

    /**
     * Takes the oldest values that wait, if there are any. Never waits, allocates nothing.
     *
     * @return false if there is nothing new: the values in use stay
     */
    boolean take();
}
