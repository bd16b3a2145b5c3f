// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.membership;

import dev.volary.protocol.config.MonitoringStrategy;

/**
 * The rules on which it rests that no live member is accused and no dead one missed. There is one set of them; it is an object
 * so that tests can plant wrong ones and see them caught.
 */
public class WatchRules {
    private static final WatchRules STANDARD = new WatchRules();

    public WatchRules() {}

    /** The rules. */
    public static WatchRules standard() {
        return STANDARD;
    }

    /** Whether a suspicion is looked into before the verdict. */
    boolean inquires() {
        return true;
    }

    /**
     * How much of the time since the last event this process did not run, so that it must not count as the others' silence. It
     * came {@code late} nanoseconds after the time it asked for; the pause may have begun up to {@code waited} before that.
     */
    long ownPause(long waited, long late) {
        return late + Math.min(waited, late);
    }

    /** Whether a suspicion that the owner has not answered is sent again. */
    boolean repeats() {
        return true;
    }

    /** Whether control traffic that was sent, received or not, spares a heartbeat. */
    boolean sparesBySent(MonitoringStrategy strategy) {
        return strategy == MonitoringStrategy.RANDOM_MONITORS;
    }

    /** Whether a sign of life at this time closes a case opened at that time. */
    boolean refutes(long signAt, long openedAt) {
        return signAt >= openedAt;
    }
}
