// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.chaos;

import java.time.Duration;

/**
 * How often how many workers are hit, and how.
 *
 * @param victims workers hit at a time, in all or in each zone
 * @param every time between two strikes, the first one included
 * @param perZone whether {@code victims} counts for each zone
 * @param spawners whether spawners are hit too
 * @param manner what is done to them
 * @param pause how long a paused worker is stopped; zero for other manners
 */
public record ChaosPlan(int victims, Duration every, boolean perZone, boolean spawners, Kind manner, Duration pause) {

    /** What is done to a victim. */
    public enum Kind {
        /** SIGKILL: it is gone at once. */
        KILL("kills"),
        /** SIGSTOP, and SIGCONT later: it is silent and comes back. */
        PAUSE("stops"),
        /** SIGTERM: it hands over and ends. */
        LEAVE("sends away");

        private final String verb;

        Kind(String verb) {
            this.verb = verb;
        }

        /** What the perturbator does, in a word. */
        public String verb() {
            return verb;
        }
    }
}
