// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.compute;

import dev.volary.mesh.link.NewestWinsLink;
import dev.volary.protocol.halo.RoundGate;
import dev.volary.solver.RedundantCoarseBlock;
import java.time.Duration;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * What an asynchronous block that works in rounds does in its next turn (docs/explanation/asynchronous-iteration.md, "rounds").
 * Confined to the compute thread.
 */
final class RoundPacer {
    /** Below this share of the tolerance another round is worth nothing. */
    private static final double BELOW_TOLERANCE = 0.02;
    /** A job that is not certified although all blocks rest gets another round. */
    private static final long LONGEST_REST_NANOS = Duration.ofSeconds(5).toNanos();

    /** A new process must connect to others before it receives the first halo. */
    private static final long LONGEST_WAIT_FOR_ANY_NANOS = Duration.ofSeconds(1).toNanos();

    /** Blocks that are restored together have no halos of each other, and publish none before they have healed. */
    private static final long LONGEST_WAIT_FOR_ALL_NANOS =
            Duration.ofMillis(100).toNanos();

    private static final long LATEST_AGAIN_NANOS = Duration.ofMillis(200).toNanos();
    private static final long FIRST_AGAIN_NANOS = Duration.ofMillis(20).toNanos();

    private final RedundantCoarseBlock block;
    private final RoundGate gate;
    private final RoundHalos incoming;
    private final LinkHalos halos;
    private final LongSupplier clock;
    private final double floor;
    private int healing;
    private boolean isEmpty;
    private boolean begun;
    private long begunAt;
    private boolean rests;
    private long restsSince;
    private long repeatPeriod;
    private long repeatAt;

    /** What a block does next. */
    enum Turn {
        /** A halo of the round is missing. */
        WAIT,
        /** The round's residuals are far below the tolerance. */
        REST,
        /** A restored block makes an iteration that it does not publish. */
        HEAL,
        /** The others are in a later round: the block publishes its values under the number of that round. */
        JOIN,
        ITERATE
    }

    /**
     * @param step the time step of the block; 0 for a stationary problem
     * @param completed iterations that the block has completed in it
     * @param healing iterations to make before anything is published
     * @param isEmpty whether the block is restored without a copy
     * @param clock in nanoseconds
     */
    RoundPacer(
            RedundantCoarseBlock block,
            List<NewestWinsLink> links,
            LinkHalos halos,
            int step,
            long completed,
            double tolerance,
            int healing,
            boolean isEmpty,
            RoundHalos.Arrival arrival,
            LongSupplier clock) {
        this.block = block;
        this.clock = clock;
        this.halos = halos;
        this.healing = healing;
        this.isEmpty = isEmpty;
        floor = BELOW_TOLERANCE * tolerance;
        gate = new RoundGate(links.size(), completed, clock.getAsLong());
        incoming = new RoundHalos(links, halos, gate, step, arrival);
    }

    /** The block has committed: it begins the step with values as good as those of all others. */
    void stepBegun(int step) {
        long now = clock.getAsLong();
        healing = 0;
        isEmpty = false;
        rests = false;
        gate.restart(now);
        waitsFrom(now);
        incoming.stepBegun(step);
    }

    /** Whether the block must not publish yet. */
    boolean isHealing() {
        return healing > 0;
    }

    /** The block has continued from an older copy of itself. */
    void heal() {
        healing = block.healing(true);
        isEmpty = false;
    }

    /** Takes halos and decides. */
    Turn next(long completed) {
        long now = clock.getAsLong();
        if (!begun) {
            begun = true;
            begunAt = now;
            gate.rested(now);
            waitsFrom(now);
        }
        if (healing > 0) {
            incoming.takeNewest(completed);
            long longest = gate.newest() < 0 ? LONGEST_WAIT_FOR_ANY_NANOS : LONGEST_WAIT_FOR_ALL_NANOS;
            return gate.hasAll() || now - begunAt >= longest ? Turn.HEAL : Turn.WAIT;
        }
        if (rests) {
            incoming.takeNewest(completed);
        } else {
            incoming.take(completed);
        }
        if (gate.isBehind()) {
            return Turn.JOIN;
        }
        if (largestResidual() <= floor) {
            if (!rests) {
                rests = true;
                restsSince = now;
            }
            return now - restsSince < LONGEST_REST_NANOS ? Turn.REST : Turn.ITERATE;
        }
        if (rests) {
            rests = false;
            gate.rested(now);
        }
        return gate.isOpen(now) ? Turn.ITERATE : Turn.WAIT;
    }

    /** Of the newest round that this block knows; infinite before all blocks have iterated. */
    double largestResidual() {
        return block.roundResidual(halos);
    }

    /** Whether what was published last must be published again, because it may be lost. */
    boolean isRepeatDue() {
        long now = clock.getAsLong();
        if (now - repeatAt < 0) {
            return false;
        }
        repeatPeriod = Math.min(2 * repeatPeriod, Math.max(repeatPeriod, LATEST_AGAIN_NANOS));
        repeatAt = now + repeatPeriod;
        return true;
    }

    private void waitsFrom(long now) {
        repeatPeriod = Math.max(FIRST_AGAIN_NANOS, 2 * gate.roundNanos());
        repeatAt = now + repeatPeriod;
    }

    /** Called before the first iteration that is not published. */
    void restoreIfEmpty() {
        if (isEmpty) {
            isEmpty = false;
            block.restoreFromLoads(halos);
        }
    }

    /** An iteration that is not published is done; returns whether it was the last one. */
    boolean healed() {
        incoming.read();
        healing--;
        return healing == 0;
    }

    /** Counts on from the newest round; returns the iterations to count from. The values must be published under it. */
    long join(long completed) {
        long now = clock.getAsLong();
        long round = Math.max(completed, gate.newest());
        gate.join(round, now);
        waitsFrom(now);
        return round;
    }

    /** Whether the iteration that begins now reads a halo of its round from every source. */
    boolean isComplete() {
        return gate.isComplete();
    }

    /** An iteration is done. */
    void iterated(boolean wasComplete, long completed) {
        long now = clock.getAsLong();
        gate.iterated(wasComplete && !rests, completed, now);
        rests = false;
        waitsFrom(now);
        incoming.read();
        // A source may complete the next round too before this block has its next turn.
        incoming.take(completed);
    }
}
