// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.membership;

import dev.volary.protocol.config.FailureDetectorConfig;
import dev.volary.protocol.model.WorkerId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;

/** When one member sends heartbeats to whom. */
public final class HeartbeatScheduler {
    private static final class Beat {
        final WorkerId to;
        final long interval;
        final long phase;
        long dueAt;
        long sentAt;

        Beat(WorkerId to, long interval, long phase, long dueAt) {
            this.to = to;
            this.interval = interval;
            this.phase = phase;
            this.dueAt = dueAt;
            this.sentAt = dueAt;
        }
    }

    /** A beat that is due. */
    record Due(WorkerId to, long interval) {}

    private final SplittableRandom random;
    /** Longest time without a beat, however much other traffic there is: heartbeats carry the iteration counters. */
    private final long longestSpared;

    private final long phase;
    private final Map<WorkerId, Beat> heartbeats = new HashMap<>();
    private final List<Beat> order = new ArrayList<>();

    HeartbeatScheduler(FailureDetectorConfig config, SplittableRandom random) {
        this.random = random;
        this.longestSpared = config.stuck().toNanos() / 4;
        this.phase = random.nextLong(config.heartbeat().toNanos());
    }

    /**
     * Beats to some members at an interval from now on; to those that are new at once, or at a random point of the interval.
     * The heartbeats to several are spread evenly over the interval, so that one of them hears something often.
     */
    void add(List<WorkerId> to, long interval, boolean atOnce, long now) {
        for (int i = 0; i < to.size(); i++) {
            long own = phase + i * (interval / to.size());
            Beat known = heartbeats.get(to.get(i));
            if (known == null || known.interval != interval) {
                long due = atOnce ? now : now + random.nextLong(interval);
                heartbeats.put(to.get(i), new Beat(to.get(i), interval, own, due));
            }
        }
        reorder();
    }

    /** Beats to nobody else. */
    void retain(Set<WorkerId> others) {
        heartbeats.keySet().retainAll(others);
        reorder();
    }

    private void reorder() {
        order.clear();
        order.addAll(heartbeats.values());
        order.sort((a, b) -> a.to.compareTo(b.to));
    }

    /** The member got other traffic that was sent then: its beat can wait. */
    void spare(WorkerId to, long sentAt) {
        Beat beat = heartbeats.get(to);
        if (beat != null) {
            beat.dueAt = Math.max(beat.dueAt, Math.min(sentAt + beat.interval, beat.sentAt + longestSpared));
        }
    }

    /** The heartbeats to send now. */
    List<Due> due(long now) {
        if (now < wakeUp()) {
            return List.of();
        }
        List<Due> due = new ArrayList<>();
        for (Beat beat : order) {
            if (now >= beat.dueAt) {
                due.add(new Due(beat.to, beat.interval));
                beat.sentAt = now;
                beat.dueAt = now + beat.interval - Math.floorMod(now - beat.phase, beat.interval);
            }
        }
        return due;
    }

    /** All of them are due. */
    void hurry(long now) {
        heartbeats.values().forEach(beat -> beat.dueAt = Math.min(beat.dueAt, now));
    }

    long wakeUp() {
        long first = Long.MAX_VALUE;
        for (Beat beat : order) {
            first = Math.min(first, beat.dueAt);
        }
        return first;
    }

    int entries() {
        return heartbeats.size();
    }
}
