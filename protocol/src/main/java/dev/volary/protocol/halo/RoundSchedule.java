// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.halo;

import java.time.Duration;

/**
 * Decides what a block that works in rounds does in its next turn (docs/explanation/asynchronous-iteration.md, "rounds"): wait for
 * the halos of its round, with bounded patience; iterate; heal after a restore; join the others in a later round; or rest.
 *
 * <p>In each turn the caller passes the halos that have arrived to {@link #slots}, puts into use what these allow, and asks
 * {@link #next}. Pure: times and residuals are parameters. Confined to one thread.
 */
public final class RoundSchedule {
    /** How far the residual must fall below that of a vector that was not certified before blocks rest again. */
    private static final double AFTER_REFUSAL = 0.2;
    /** A job that is not certified although all blocks rest gets another round. */
    private static final long LONGEST_REST_NANOS = Duration.ofSeconds(5).toNanos();

    /** A new process must connect to others before it receives the first halo. */
    private static final long LONGEST_WAIT_FOR_ANY_NANOS = Duration.ofSeconds(1).toNanos();

    /** Blocks that are restored together have no halos of each other, and publish none before they have healed. */
    private static final long LONGEST_WAIT_FOR_ALL_NANOS =
            Duration.ofMillis(100).toNanos();

    private static final long LATEST_AGAIN_NANOS = Duration.ofMillis(200).toNanos();
    private static final long FIRST_AGAIN_NANOS = Duration.ofMillis(20).toNanos();

    private final RoundGate gate;
    private final RoundSlots slots;
    private final double restAt;
    /** As {@code restAt}, or smaller since a vector was refused. */
    private double restBound;
    /** Whether the vector at rest was not certified: another round follows. */
    private boolean isRefused;

    private int healing;
    /** Whether what the block publishes after it has healed needs a number that it has not used. */
    private boolean isRenumbered;

    private boolean isEmpty;
    private boolean begun;
    private long begunAt;
    private boolean rests;
    private long restsSince;
    private boolean hasSettled;
    private long repeatPeriod;
    private long repeatAt;

    /** What a block does next. */
    public enum Turn {
        /** A halo of the round is missing. */
        WAIT,
        /** The residual of the round is small enough: a snapshot is to come. */
        REST,
        /** A restored block makes an iteration that it does not publish. */
        HEAL,
        /** The others are in a later round: the block publishes its values under the number of that round. */
        JOIN,
        ITERATE
    }

    /**
     * @param sources incoming edges
     * @param step the time step of the block; 0 for a stationary problem
     * @param completed iterations that the block has completed in it
     * @param restAt residual at which blocks rest, not relative: the tolerance, or less
     * @param healing iterations to make before anything is published; a block with none starts with the job, and reads no halo in its
     *     first iteration
     * @param isEmpty whether the block is restored without a copy
     */
    public RoundSchedule(
            int sources, int step, long completed, double restAt, int healing, boolean isEmpty, long nowNanos) {
        this.healing = healing;
        this.isEmpty = isEmpty;
        this.restAt = restAt;
        restBound = restAt;
        gate = new RoundGate(sources, completed, healing == 0, nowNanos);
        slots = new RoundSlots(gate, sources, step);
    }

    /** Which halos the block reads. */
    public RoundSlots slots() {
        return slots;
    }

    /** Whether the block reads the newest halos, of whatever round, instead of those of its round. */
    public boolean readsNewest() {
        return healing > 0 || rests;
    }

    /** The block has committed: it begins the step with values as good as those of all others. */
    public void stepBegun(int step, long nowNanos) {
        healing = 0;
        isRenumbered = false;
        isEmpty = false;
        rests = false;
        restBound = restAt;
        isRefused = false;
        gate.restart(nowNanos);
        waitsFrom(nowNanos);
        slots.stepBegun(step);
    }

    /** Whether the block must not publish yet. */
    public boolean isHealing() {
        return healing > 0;
    }

    /**
     * The block has continued from an older copy of itself, after it has published other values.
     *
     * @param iterations to make before anything is published
     */
    public void heal(int iterations) {
        healing = iterations;
        isRenumbered = true;
        isEmpty = false;
    }

    /**
     * Decides, once the halos are in use.
     *
     * @param largestResidual of the newest round that this block knows; infinite before all blocks have iterated
     */
    public Turn next(double largestResidual, long nowNanos) {
        if (!begun) {
            begun = true;
            begunAt = nowNanos;
            gate.rested(nowNanos);
            waitsFrom(nowNanos);
        }
        if (healing > 0) {
            long longest = gate.newest() < 0 ? LONGEST_WAIT_FOR_ANY_NANOS : LONGEST_WAIT_FOR_ALL_NANOS;
            return gate.hasAll() || nowNanos - begunAt >= longest ? Turn.HEAL : Turn.WAIT;
        }
        if (gate.isBehind()) {
            return Turn.JOIN;
        }
        if (isSmall(largestResidual)) {
            if (!rests) {
                rests = true;
                restsSince = nowNanos;
                hasSettled = true;
            }
            return nowNanos - restsSince < LONGEST_REST_NANOS ? Turn.REST : Turn.ITERATE;
        }
        if (rests) {
            rests = false;
            gate.rested(nowNanos);
        }
        return gate.isOpen(nowNanos) ? Turn.ITERATE : Turn.WAIT;
    }

    private boolean isSmall(double residual) {
        return residual <= restBound && !isRefused;
    }

    /**
     * Whether the block has come to rest since this was asked last: the leader waits for its report. It may be a halo that lets it
     * rest, long after its last iteration.
     */
    public boolean hasSettled() {
        boolean isNews = hasSettled;
        hasSettled = false;
        return isNews;
    }

    /** Whether the block rests, from its next turn on at the latest. */
    public boolean isAtRest(double largestResidual) {
        return healing == 0 && isSmall(largestResidual);
    }

    /** A snapshot is over, and its vector is not certified: blocks at rest go on. */
    public void notCertified() {
        if (rests) {
            restBound *= AFTER_REFUSAL;
            isRefused = true;
        }
    }

    /** Whether what was published last must be published again, because it may be lost. */
    public boolean isRepeatDue(long nowNanos) {
        if (nowNanos - repeatAt < 0) {
            return false;
        }
        repeatPeriod = Math.min(2 * repeatPeriod, Math.max(repeatPeriod, LATEST_AGAIN_NANOS));
        repeatAt = nowNanos + repeatPeriod;
        return true;
    }

    private void waitsFrom(long nowNanos) {
        repeatPeriod = Math.max(FIRST_AGAIN_NANOS, 2 * gate.roundNanos());
        repeatAt = nowNanos + repeatPeriod;
    }

    /**
     * Called before the first iteration that is not published; returns whether the block must then take its state from the other
     * blocks, because it was restored without a copy.
     */
    public boolean takeStateFromOthers() {
        boolean must = isEmpty;
        isEmpty = false;
        return must;
    }

    /** An iteration that is not published is done; returns whether it was the last one. */
    public boolean healed() {
        healing--;
        return healing == 0;
    }

    /** Counts on from the newest round; returns the iterations to count from. The values must be published under it. */
    public long join(long completed, long nowNanos) {
        long round = Math.max(isRenumbered ? completed + 1 : completed, gate.newest());
        isRenumbered = false;
        gate.join(round, nowNanos);
        waitsFrom(nowNanos);
        return round;
    }

    /** Whether the iteration that begins now reads a halo of its round from every source. */
    public boolean isComplete() {
        return gate.isComplete();
    }

    /**
     * An iteration is done.
     *
     * @param wasComplete {@link #isComplete} when it began
     * @param completed the number of completed iterations
     */
    public void iterated(boolean wasComplete, long completed, long nowNanos) {
        gate.iterated(wasComplete && !rests, completed, nowNanos);
        rests = false;
        isRefused = false;
        waitsFrom(nowNanos);
    }
}
