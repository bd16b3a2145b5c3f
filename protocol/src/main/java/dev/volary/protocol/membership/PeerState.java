// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.membership;

import dev.volary.protocol.config.FailureDetectorConfig;
import dev.volary.protocol.message.MembershipMessage.Evidence;
import dev.volary.protocol.model.FailureVerdict;
import dev.volary.protocol.model.IterationCounter;
import dev.volary.protocol.model.WorkerId;
import java.util.List;
import java.util.Optional;

/** What one member knows of another. */
public final class PeerState {
    /** A time before all times; far enough from the end to subtract from it. */
    static final long NEVER = Long.MIN_VALUE / 2;
    /** Signs of life that are said to be older are none. */
    private static final long OLD = 1L << 55;
    /** So many unanswered probes at the fast pace; from then on each waits twice as long, a heartbeat period at most. */
    private static final int FAST_PROBES = 5;

    private static final int MOST_DOUBLED = 8;

    final WorkerId id;
    /** Whether its silence is ours to notice. */
    boolean duty;
    /** The next beat is due so long after the last sign of life, in nanoseconds. */
    private long interval = Long.MAX_VALUE / 4;
    /** What the interval becomes when it is next heard; until then the shorter one counts. */
    private long nextInterval = Long.MAX_VALUE / 4;
    /** When we began to expect heartbeats. */
    private long watchedSince;

    /** Newest sign of life that came from it. Only this is reported to others: what goes round does not get younger. */
    private long heardAt = NEVER;
    /** Newest sign of life that we know of. */
    private long knownAt = NEVER;

    int unanswered;
    long probeAt = NEVER;
    long accuseAt = NEVER;
    boolean hinted;
    boolean left;
    private Optional<FailureVerdict> verdict = Optional.empty();
    private long refusedAt = NEVER;
    private List<IterationCounter> counters = List.of();
    private long[] iteratedAt = {};
    private boolean stuck;

    PeerState(WorkerId id) {
        this.id = id;
    }

    /** It was declared, by this member or by who judges it. */
    void declare(FailureVerdict newest) {
        verdict = Optional.of(newest);
    }

    Optional<FailureVerdict> verdict() {
        return verdict;
    }

    boolean declared() {
        return verdict.isPresent();
    }

    /** Another judge begins without verdicts. */
    void clearVerdict() {
        verdict = Optional.empty();
    }

    /** Its heartbeats are due at this interval. A longer one than before counts only when it is heard again. */
    void watch(long due, long now) {
        if (!duty || due < interval) {
            watchedSince = now;
            interval = due;
        }
        duty = true;
        nextInterval = due;
    }

    /** Its silence is no longer ours to notice: at once, or once we have heard that it lives. */
    void release(boolean onceHeard) {
        if (onceHeard) {
            nextInterval = Long.MAX_VALUE / 4;
        } else {
            duty = false;
        }
    }

    /** It said something. */
    void heard(long now) {
        heardAt = now;
        knownAt = now;
        unanswered = 0;
        interval = nextInterval;
        refusedAt = NEVER;
        hinted = false;
    }

    /** It says when its next beat comes. */
    void nextBeat(long due) {
        interval = due;
        nextInterval = due;
    }

    /** When its next beat is late. */
    long overdueAt(FailureDetectorConfig config) {
        return duty ? silentSince() + interval + config.graceNanos() : Long.MAX_VALUE;
    }

    /** When its silence is suspicious. */
    long suspectAt(MonitoringStrategy strategy) {
        return duty ? silentSince() + strategy.suspectNanos(interval) : Long.MAX_VALUE;
    }

    /** Somebody else heard from it at this time. */
    void relayed(long silentNanos, FailureDetectorConfig config, long now) {
        if (!isSign(silentNanos)) {
            return;
        }
        long at = now - silentNanos;
        // A report that took longer is no newer sign.
        if (at > knownAt + config.probeNanos()) {
            knownAt = at;
        }
        if (at > refusedAt) {
            refusedAt = NEVER;
        }
    }

    /** Whether somebody who says so has ever heard of it. */
    static boolean isSign(long silentNanos) {
        return silentNanos >= 0 && silentNanos < OLD;
    }

    long heardAt() {
        return heardAt;
    }

    long knownAt() {
        return knownAt;
    }

    void refused(long now) {
        refusedAt = now;
    }

    boolean refused() {
        return refusedAt != NEVER;
    }

    void probed(long now, FailureDetectorConfig config) {
        unanswered++;
        int doubled = Math.clamp(unanswered - FAST_PROBES, 0, MOST_DOUBLED);
        probeAt = now
                + Math.min(config.probeNanos() << doubled, config.heartbeat().toNanos());
    }

    /** Nothing is known of it since then. */
    long silentSince() {
        return Math.max(knownAt, watchedSince);
    }

    /** Age of the newest sign of life that came from it; {@link Long#MAX_VALUE} if there never was one. */
    long silentNanos(long now) {
        return heardAt == NEVER ? Long.MAX_VALUE : now - heardAt;
    }

    /** How far its blocks are. A block that waits, or that it did not have before, starts anew. */
    void iterating(List<IterationCounter> newest, long stuckNanos, long now) {
        long[] since = new long[newest.size()];
        stuck = false;
        for (int i = 0; i < since.length; i++) {
            IterationCounter counter = newest.get(i);
            since[i] = now;
            for (int j = 0; j < iteratedAt.length && !counter.waiting(); j++) {
                if (counters.get(j).equals(counter)) {
                    since[i] = iteratedAt[j];
                }
            }
            stuck |= now - since[i] >= stuckNanos;
        }
        counters = newest;
        iteratedAt = since;
    }

    /** For how long its slowest block has completed no iteration. */
    long standingNanos(long now) {
        long longest = 0;
        for (long at : iteratedAt) {
            longest = Math.max(longest, now - at);
        }
        return longest;
    }

    /** Why it is to be accused. */
    Optional<Evidence> evidence(MonitoringStrategy strategy, long now) {
        if (left) {
            return Optional.of(Evidence.LEFT);
        } else if (refused()) {
            return Optional.of(Evidence.REFUSED);
        } else if (now >= suspectAt(strategy)) {
            return Optional.of(Evidence.SILENT);
        } else if (hinted) {
            return Optional.of(Evidence.HINTED);
        }
        return stuck ? Optional.of(Evidence.STUCK) : Optional.empty();
    }

    /** This process did not run for a while: that was not the other's silence. */
    void shift(long pause) {
        watchedSince += pause;
        if (knownAt != NEVER) {
            knownAt += pause;
        }
        if (heardAt != NEVER) {
            heardAt += pause;
        }
        if (refusedAt != NEVER) {
            refusedAt += pause;
        }
        for (int i = 0; i < iteratedAt.length; i++) {
            iteratedAt[i] += pause;
        }
    }

    int entries() {
        return 1 + iteratedAt.length;
    }
}
