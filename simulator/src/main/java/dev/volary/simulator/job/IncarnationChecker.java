// SPDX-License-Identifier: Apache-2.0
package dev.volary.simulator.job;

import dev.volary.protocol.model.Incarnation;
import dev.volary.protocol.model.Member;
import dev.volary.protocol.model.WorkerId;
import dev.volary.simulator.scenario.Scenario;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Checks who computes a block. Of two incarnations the older one must stop soon after the newer one began, and while only
 * spawners end, every block keeps its incarnation and, unless it works in rounds, never stands still.
 */
final class IncarnationChecker {
    /** An iteration takes a millisecond. */
    private static final long STANDSTILL_NANOS = 5_000_000;

    private record Newest(Incarnation incarnation, long since, WorkerId daemon) {}

    private final boolean uninterrupted;
    /** Blocks in rounds wait for each other, and rest. */
    private final boolean inRounds;

    private final long fencingGrace;
    private final Consumer<String> violated;
    private final Map<Integer, Newest> newest = new HashMap<>();
    private final Map<Integer, Long> iteratedAt = new HashMap<>();
    private final Set<WorkerId> ended = new HashSet<>();
    private long disturbedUntil;

    /**
     * @param fencingGrace nanoseconds for which an older incarnation may go on after a newer one began, or after the end of the
     *     last disturbance if that is later
     */
    IncarnationChecker(Scenario scenario, long fencingGrace, Consumer<String> violated) {
        this.uninterrupted = scenario.faultPlan().kind().harmsNoDaemon() && !scenario.rollsBack();
        this.inRounds = scenario.rounds();
        this.fencingGrace = fencingGrace;
        this.violated = violated;
    }

    /** Until then some messages do not arrive, or not soon. */
    void disturbed(long until) {
        disturbedUntil = Math.max(disturbedUntil, until);
    }

    /** This time, or the end of the last disturbance if that is later. */
    long calmAfter(long time) {
        return Math.max(time, disturbedUntil);
    }

    /** A worker process has ended. */
    void workerDied(WorkerId worker) {
        ended.add(worker);
    }

    /** A block has completed an iteration. */
    void blockIterated(int block, Incarnation incarnation, Member daemon, long now) {
        Newest known = newest.get(block);
        int order = known == null ? 1 : incarnation.compareTo(known.incarnation());
        long before = iteratedAt.getOrDefault(block, now);
        iteratedAt.put(block, now);
        if (uninterrupted && known != null && order > 0) {
            violated.accept("block " + block + " began again as " + incarnation + ", though only spawners died");
        } else if (uninterrupted && !inRounds && now - before > STANDSTILL_NANOS) {
            violated.accept("block " + block + " stood still for " + (now - before) / 1_000_000
                    + " ms, though only spawners died");
        }
        if (known == null || order > 0) {
            newest.put(block, new Newest(incarnation, now, daemon.id()));
        } else if (order < 0) {
            checkFenced(block, incarnation, known, daemon, now);
        } else if (!known.daemon().equals(daemon.id())) {
            newest.put(block, new Newest(incarnation, known.since(), daemon.id()));
        }
    }

    private void checkFenced(int block, Incarnation incarnation, Newest known, Member daemon, long now) {
        // A newer incarnation that ended on a machine that was cut off need not be known to any worker.
        boolean isKnown = !ended.contains(known.daemon());
        if (isKnown && now > calmAfter(known.since()) + fencingGrace) {
            violated.accept("block " + block + " is still computed by " + daemon.name() + " as " + incarnation + ", "
                    + (now - known.since()) / 1_000_000 + " ms after " + known.incarnation() + " began");
        }
    }

    /** The most blocks whose newest incarnations one daemon has computed. */
    int mostBlocksOfOneDaemon() {
        Map<WorkerId, Integer> blocks = new HashMap<>();
        newest.values().forEach(known -> blocks.merge(known.daemon(), 1, Integer::sum));
        return blocks.values().stream().max(Integer::compare).orElse(0);
    }
}
