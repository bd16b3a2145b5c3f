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
    /** Signs of life that are reported as older do not count. */
    private static final long OLD = 1L << 55;
    /** So many unanswered probes at the fast pace; from then on each waits twice as long, a heartbeat period at most. */
    private static final int FAST_PROBES = 5;

    private static final int MOST_DOUBLED = 8;

    final WorkerId id;
    /** Whether this member monitors it. */
    boolean duty;
    /** Nanoseconds from the last sign of life to the next heartbeat. */
    private long interval = Long.MAX_VALUE / 4;
    /** What the interval becomes when its next message arrives; until then the shorter one counts. */
    private long nextInterval = Long.MAX_VALUE / 4;
    /** When this member began to expect heartbeats. */
    private long monitoredSince;

    /** When its last message arrived here. Only this is reported to others, so that forwarding cannot refresh it. */
    private long lastReceivedAt = NEVER;
    /** Newest sign of life, received here or reported by others. */
    private long lastKnownAliveAt = NEVER;

    /** How late its wake-ups were recently, as its last heartbeat says. */
    long delayNanos;

    int unanswered;
    long probeAt = NEVER;
    long reportAt = NEVER;
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

    /** It was declared dead, by this member or by another one. */
    void declare(FailureVerdict newest) {
        verdict = Optional.of(newest);
    }

    Optional<FailureVerdict> verdict() {
        return verdict;
    }

    boolean isDeclaredDead() {
        return verdict.isPresent();
    }

    /** Another owner begins without verdicts. */
    void clearVerdict() {
        verdict = Optional.empty();
    }

    /** Its heartbeats are due at this interval. A longer one than before counts only from its next message on. */
    void monitor(long due, long now) {
        if (!duty || due < interval) {
            monitoredSince = now;
            interval = due;
        }
        duty = true;
        nextInterval = due;
    }

    /** This member stops monitoring it: at once, or when its next message arrives. */
    void release(boolean afterNextMessage) {
        if (afterNextMessage) {
            nextInterval = Long.MAX_VALUE / 4;
        } else {
            duty = false;
        }
    }

    /** A message of it arrived. */
    void received(long now) {
        lastReceivedAt = now;
        lastKnownAliveAt = now;
        unanswered = 0;
        interval = nextInterval;
        refusedAt = NEVER;
        hinted = false;
    }

    /** Its next heartbeat comes after this many nanoseconds. */
    void expectHeartbeat(long due) {
        interval = due;
        nextInterval = due;
    }

    /** When its next heartbeat is late. */
    long overdueAt(FailureDetectorConfig config) {
        return duty ? silentSince() + interval + config.graceNanos() : Long.MAX_VALUE;
    }

    /** When its silence is suspicious. */
    long suspectAt(MonitoringStrategy strategy) {
        return duty
                ? silentSince() + strategy.suspectNanos(interval) + strategy.allowanceNanos(delayNanos)
                : Long.MAX_VALUE;
    }

    /** Another member received something from it this many nanoseconds ago. */
    void relayed(long silentNanos, FailureDetectorConfig config, long now) {
        if (!isSign(silentNanos)) {
            return;
        }
        long at = now - silentNanos;
        // A report that took longer is no newer sign.
        if (at > lastKnownAliveAt + config.probeNanos()) {
            lastKnownAliveAt = at;
        }
        if (at > refusedAt) {
            refusedAt = NEVER;
        }
    }

    /** Whether a reported age belongs to a sign of life: the reporter has received one, and not too long ago. */
    static boolean isSign(long silentNanos) {
        return silentNanos >= 0 && silentNanos < OLD;
    }

    long lastReceivedAt() {
        return lastReceivedAt;
    }

    long lastKnownAliveAt() {
        return lastKnownAliveAt;
    }

    void refused(long now) {
        refusedAt = now;
    }

    boolean isRefused() {
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
        return Math.max(lastKnownAliveAt, monitoredSince);
    }

    /** Age of the newest sign of life that came from it; {@link Long#MAX_VALUE} if there never was one. */
    long silentNanos(long now) {
        return lastReceivedAt == NEVER ? Long.MAX_VALUE : now - lastReceivedAt;
    }

    /** How far its blocks are. The time of a block that waits, or that it did not have before, starts again. */
    void updateCounters(List<IterationCounter> newest, long stuckNanos, long now) {
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

    /** Why it is suspected, if it is. */
    Optional<Evidence> evidence(MonitoringStrategy strategy, long now) {
        if (left) {
            return Optional.of(Evidence.LEFT);
        } else if (isRefused()) {
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
        monitoredSince += pause;
        if (lastKnownAliveAt != NEVER) {
            lastKnownAliveAt += pause;
        }
        if (lastReceivedAt != NEVER) {
            lastReceivedAt += pause;
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
