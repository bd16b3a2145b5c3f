// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.link;

import java.time.Duration;

/** Synchronous scheme: the values of exactly one iteration; those of the next may already be there. */
public non-sealed interface LockStepLink extends IncomingLink {

    /**
     * Takes the values of exactly this step and iteration if they are there. Never waits.
     *
     * @return false if they are not there
     */
    boolean take(int step, long iteration);

    /**
     * Waits for the values of exactly this step and iteration, and takes them.
     *
     * @return false if they did not come in time: ask for them again
     * @throws InterruptedException if the thread is interrupted while it waits
     */
    boolean await(int step, long iteration, Duration timeout) throws InterruptedException;
}
