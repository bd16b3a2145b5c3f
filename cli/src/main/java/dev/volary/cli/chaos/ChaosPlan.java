// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.chaos;

import java.time.Duration;

/**
 * Which faults are injected into running workers, and how often.
 *
 * @param targets workers chosen at a time, in total or per zone
 * @param every time between two faults, and before the first
 * @param perZone whether {@code targets} counts per zone
 * @param spawners whether spawners may be chosen too
 * @param fault what happens to the chosen workers
 * @param pause how long a paused worker stays paused; zero for other faults
 */
public record ChaosPlan(int targets, Duration every, boolean perZone, boolean spawners, Fault fault, Duration pause) {

    /** What happens to a chosen worker. */
    public enum Fault {
        /** SIGKILL: the worker ends at once. */
        KILL("killed %s"),
        /** SIGSTOP, and SIGCONT later: the worker is silent for a while and comes back. */
        PAUSE("paused %s"),
        /** SIGTERM: the worker hands over its blocks and ends. */
        LEAVE("asked %s to leave");

        private final String sentence;

        Fault(String sentence) {
            this.sentence = sentence;
        }

        /** What fault injection did, for people: {@code killed daemon-1}. */
        public String describe(String worker) {
            return sentence.formatted(worker);
        }
    }
}
