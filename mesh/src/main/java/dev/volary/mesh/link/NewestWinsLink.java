// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.link;

/** Asynchronous scheme: the newest values win. */
public non-sealed interface NewestWinsLink extends IncomingLink {

    /**
     * Takes the newest values, if there are any that were not taken yet. Never waits, allocates nothing.
     *
     * @return false if there is nothing new: the values in use stay
     */
    boolean take();
}
