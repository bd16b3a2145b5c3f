// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.halo;

import java.time.Duration;
import java.util.Arrays;

/**
 * Decides when a block whose method works in rounds begins its next iteration: when it has a halo of the current round from
 * every source, or has waited long enough (docs/explanation/asynchronous-iteration.md, "rounds").
 *
 * <p>A round is the number of iterations that a block has completed, in its time step if there are steps. Blocks that have completed the same number exchange
 * halos and begin the next round. A block that missed rounds, because it was paused or replaced, takes over the number of the
 * others and publishes its values under it.
 *
 * <p>The patience follows the rounds that this block has seen complete. Rounds that it began without a halo do not count, so
 * an absent source cannot lengthen it. Pure: time is a parameter. Confined to one thread.
 */
public final class RoundGate {
    /** Waiting is cheap beside a round on old values, which takes several further ones to repair. */
    private static final int PATIENCE_ROUNDS = 20;

    private static final long LEAST_PATIENCE_NANOS = Duration.ofMillis(300).toNanos();
    /** In the first rounds: workers still load and compile code, and may lack the halos that others have. */
    private static final long FIRST_PATIENCE_NANOS = Duration.ofSeconds(5).toNanos();

    private static final int FIRST_ROUNDS = 3;
    private static final int MEASURED_ROUNDS = 9;
    private static final long NOTHING = -1;

    /** By source: the round of the halo in use. */
    private final long[] held;

    private final long[] durations = new long[MEASURED_ROUNDS];
    private int measured;
    private long newest = NOTHING;
    private long completed;
    private boolean isFirst;
    private long waitingSince;

    /**
     * @param sources incoming edges
     * @param completed iterations that the block has completed
     * @param isFirst whether the next iteration is the block's first and reads no halo: blocks open one after the other, and the last
     *     would find halos of two rounds
     */
    public RoundGate(int sources, long completed, boolean isFirst, long nowNanos) {
        held = new long[sources];
        Arrays.fill(held, NOTHING);
        this.completed = completed;
        this.isFirst = isFirst;
        waitingSince = nowNanos;
    }

    /** A time step begins: rounds are counted from 0 again, and no halo of the last step is one of them. The patience stays. */
    public void restart(long nowNanos) {
        Arrays.fill(held, NOTHING);
        newest = NOTHING;
        completed = 0;
        isFirst = false;
        waitingSince = nowNanos;
    }

    /** A halo has arrived, whether it is put into use or not. */
    public void seen(long round) {
        newest = Math.max(newest, round);
    }

    /** This halo of a source is in use from now on. */
    public void use(int source, long round) {
        seen(round);
        held[source] = round;
    }

    /**
     * Whether another block is two rounds ahead. It went on without a halo of this one, which must then {@link #join} the
     * others: blocks that missed rounds together would wait for each other's halos of rounds that none of them made.
     */
    public boolean isBehind() {
        return newest > completed + 1;
    }

    /** This block counts on from this round, without an iteration. */
    public void join(long round, long nowNanos) {
        completed = round;
        isFirst = false;
        waitingSince = nowNanos;
    }

    /** The newest round of another block; negative before the first halo. */
    public long newest() {
        return newest;
    }

    /** Whether the block needs a newer halo of this source than the one in use. */
    public boolean isAwaited(int source) {
        return !isFirst && held[source] < completed;
    }

    /** Whether a halo of the round is in use from every source, or none is needed. */
    public boolean isComplete() {
        if (isFirst) {
            return true;
        }
        for (long each : held) {
            if (each < completed) {
                return false;
            }
        }
        return true;
    }

    /** Whether every source has sent a halo, of whatever round. */
    public boolean hasAll() {
        for (long each : held) {
            if (each == NOTHING) {
                return false;
            }
        }
        return true;
    }

    /** Whether it has waited as long as it should since its last iteration. */
    public boolean isOverdue(long nowNanos) {
        return nowNanos - waitingSince >= patienceNanos();
    }

    /** Whether the next iteration may begin. */
    public boolean isOpen(long nowNanos) {
        return isComplete() || isOverdue(nowNanos);
    }

    /** How long the block waits for the halos of a round. */
    public long patienceNanos() {
        return measured < FIRST_ROUNDS
                ? FIRST_PATIENCE_NANOS
                : Math.max(LEAST_PATIENCE_NANOS, PATIENCE_ROUNDS * roundNanos());
    }

    /** Median time of the last complete rounds; 0 before the first. */
    public long roundNanos() {
        if (measured == 0) {
            return 0;
        }
        long[] sorted = Arrays.copyOf(durations, Math.min(measured, MEASURED_ROUNDS));
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }

    /** The block has stood still on purpose: the wait begins now. */
    public void rested(long nowNanos) {
        waitingSince = nowNanos;
    }

    /**
     * The block has completed an iteration.
     *
     * @param wasComplete {@link #isComplete} when it began
     * @param now the number of completed iterations
     */
    public void iterated(boolean wasComplete, long now, long nowNanos) {
        if (wasComplete) {
            durations[measured % MEASURED_ROUNDS] = nowNanos - waitingSince;
            measured++;
        }
        completed = now;
        isFirst = false;
        waitingSince = nowNanos;
    }
}
