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
    private static final class Target {
        final WorkerId to;
        final long interval;
        final long phase;
        long dueAt;
        long sentAt;

        Target(WorkerId to, long interval, long phase, long dueAt) {
            this.to = to;
            this.interval = interval;
            this.phase = phase;
            this.dueAt = dueAt;
            this.sentAt = dueAt;
        }
    }

    /** A heartbeat that is due. */
    record Due(WorkerId to, long interval) {}

    private final SplittableRandom random;
    /** Longest time without a heartbeat, however much other traffic there is: heartbeats carry the iteration counters. */
    private final long longestPause;

    private final long phase;
    private final Map<WorkerId, Target> targets = new HashMap<>();
    private final List<Target> order = new ArrayList<>();

    HeartbeatScheduler(FailureDetectorConfig config, SplittableRandom random) {
        this.random = random;
        this.longestPause = config.stuck().toNanos() / 4;
        this.phase = random.nextLong(config.heartbeat().toNanos());
    }

    /**
     * Sends heartbeats to some members at an interval from now on; to new ones at once, or at a random point of the interval.
     * The heartbeats to several members are spread evenly over the interval, so that one of them receives something often.
     */
    void add(List<WorkerId> to, long interval, boolean atOnce, long now) {
        for (int i = 0; i < to.size(); i++) {
            long own = phase + i * (interval / to.size());
            Target known = targets.get(to.get(i));
            if (known == null || known.interval != interval) {
                long due = atOnce ? now : now + random.nextLong(interval);
                targets.put(to.get(i), new Target(to.get(i), interval, own, due));
            }
        }
        reorder();
    }

    /** Stops the heartbeats to all other members. */
    void retain(Set<WorkerId> others) {
        targets.keySet().retainAll(others);
        reorder();
    }

    private void reorder() {
        order.clear();
        order.addAll(targets.values());
        order.sort((a, b) -> a.to.compareTo(b.to));
    }

    /** The member got other traffic that was sent then: its next heartbeat can wait. */
    void postpone(WorkerId to, long sentAt) {
        Target target = targets.get(to);
        if (target != null) {
            target.dueAt = Math.max(target.dueAt, Math.min(sentAt + target.interval, target.sentAt + longestPause));
        }
    }

    /** The heartbeats to send now. */
    List<Due> due(long now) {
        if (now < wakeUp()) {
            return List.of();
        }
        List<Due> due = new ArrayList<>();
        for (Target target : order) {
            if (now >= target.dueAt) {
                due.add(new Due(target.to, target.interval));
                target.sentAt = now;
                target.dueAt = now + target.interval - Math.floorMod(now - target.phase, target.interval);
            }
        }
        return due;
    }

    /** Makes all heartbeats due now. */
    void makeAllDue(long now) {
        targets.values().forEach(target -> target.dueAt = Math.min(target.dueAt, now));
    }

    long wakeUp() {
        long first = Long.MAX_VALUE;
        for (Target target : order) {
            first = Math.min(first, target.dueAt);
        }
        return first;
    }

    int entries() {
        return targets.size();
    }
}
