// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.membership;

import dev.volary.protocol.model.WorkerId;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A suspicion that is not decided yet, with what is known of the suspect. */
public final class OpenSuspicion {
    /** The state of a probe sent to another member. */
    static final class Ask {
        long againAt;
        int count;
        boolean answered;
    }

    /** Unanswered probes after which another member is asked too. */
    private static final int SLOW = 3;

    /** Unanswered probes after which a member is no longer waited for. */
    private static final int UNRESPONSIVE = 8;

    final WorkerId suspect;
    long openedAt;
    /** Newest sign of life if a watcher has reported it; else a bound derived from the time of opening. */
    long lastSign;
    /** Whether a watcher has reported when it last received something from the suspect. */
    boolean informed;

    long ripeAt = Long.MAX_VALUE;
    /** How late the wake-ups of the suspect and of those that report it were, at most. */
    long delayNanos;

    boolean silent;
    boolean hinted;
    boolean left;
    long standingNanos;
    /** Members that cannot reach the suspect. */
    final Set<WorkerId> confirmedBy = new HashSet<>();

    final Set<WorkerId> refusedBy = new HashSet<>();
    final Map<WorkerId, Long> stuckBy = new HashMap<>();
    final Map<WorkerId, Ask> asks = new HashMap<>();

    OpenSuspicion(WorkerId suspect, long openedAt) {
        this.suspect = suspect;
        this.openedAt = openedAt;
        this.lastSign = openedAt;
    }

    /** Another member reports how late the suspect's wake-ups were. */
    void delayed(long nanos) {
        delayNanos = Math.max(delayNanos, nanos);
    }

    void inform(boolean byWatcher) {
        informed |= byWatcher;
    }

    static boolean isSlow(Ask ask) {
        return !ask.answered && ask.count > SLOW;
    }

    static boolean isUnresponsive(Ask ask) {
        return !ask.answered && ask.count > UNRESPONSIVE;
    }

    /** How many of these were asked just now and may still answer. */
    int pending(List<WorkerId> helpers) {
        int pending = 0;
        for (WorkerId helper : helpers) {
            Ask ask = asks.get(helper);
            if (ask != null && !ask.answered && !isSlow(ask) && !confirmedBy.contains(helper)) {
                pending++;
            }
        }
        return pending;
    }

    /** This process did not run for a while. */
    void shift(long pause) {
        openedAt += pause;
        lastSign += pause;
        if (ripeAt != Long.MAX_VALUE) {
            ripeAt += pause;
        }
        stuckBy.replaceAll((who, at) -> at + pause);
    }

    int entries() {
        return 1 + confirmedBy.size() + refusedBy.size() + stuckBy.size() + asks.size();
    }
}
