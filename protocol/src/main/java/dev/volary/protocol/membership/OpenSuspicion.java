// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.membership;

import dev.volary.protocol.model.WorkerId;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A suspicion that its judge looks into. */
public final class OpenSuspicion {
    /** Who was asked. */
    static final class Ask {
        long againAt;
        int count;
        boolean answered;
    }

    /** Unanswered questions after which another member is asked too, and after which nobody waits for this one any more. */
    private static final int SLOW = 3;

    private static final int UNRESPONSIVE = 8;

    final WorkerId suspect;
    long openedAt;
    /** Newest sign of life, as far as one knows who should; else what is taken for it. */
    long lastSign;
    /** Whether a watcher has said when it last heard from the suspect. */
    boolean informed;

    long ripeAt = Long.MAX_VALUE;
    boolean silent;
    boolean hinted;
    boolean left;
    long standingNanos;
    final Set<WorkerId> witnesses = new HashSet<>();
    final Set<WorkerId> refusedBy = new HashSet<>();
    final Map<WorkerId, Long> stuckBy = new HashMap<>();
    final Map<WorkerId, Ask> asks = new HashMap<>();

    OpenSuspicion(WorkerId suspect, long openedAt) {
        this.suspect = suspect;
        this.openedAt = openedAt;
        this.lastSign = openedAt;
    }

    void inform(boolean byWatcher) {
        informed |= byWatcher;
    }

    static boolean slow(Ask ask) {
        return !ask.answered && ask.count > SLOW;
    }

    static boolean unresponsive(Ask ask) {
        return !ask.answered && ask.count > UNRESPONSIVE;
    }

    /** How many of these were asked just now and may still answer. */
    int pending(List<WorkerId> helpers) {
        int pending = 0;
        for (WorkerId helper : helpers) {
            Ask ask = asks.get(helper);
            if (ask != null && !ask.answered && !slow(ask) && !witnesses.contains(helper)) {
                pending++;
            }
        }
        return pending;
    }

    /** The judge did not run for a while. */
    void shift(long pause) {
        openedAt += pause;
        lastSign += pause;
        if (ripeAt != Long.MAX_VALUE) {
            ripeAt += pause;
        }
        stuckBy.replaceAll((who, at) -> at + pause);
    }

    int entries() {
        return 1 + witnesses.size() + refusedBy.size() + stuckBy.size() + asks.size();
    }
}
