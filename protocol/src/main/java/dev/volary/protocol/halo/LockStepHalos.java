// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.halo;

import java.time.Duration;
import java.util.Arrays;

/**
 * The halo rules of one block in the synchronous scheme. Iteration {@code k} (from 0) reads exactly the halos its partners
 * published after {@code k} iterations; number 0 is the state at the start.
 *
 * <p>A partner is a block with an edge in either direction. Where values flow one way only, an empty halo flows the other way,
 * so partners are never more than one iteration apart: a reader needs two slots for each edge, a writer keeps its two newest
 * halos for {@link dev.volary.protocol.message.BlockMessage.HaloRequest}. Slot {@code k & 1} holds number {@code k}.
 *
 * <p>Thread safe: the network offers, the compute thread advances.
 */
public final class LockStepHalos {

    /** What to do with a halo. */
    public enum Verdict {
        /** Put it into {@link #slot} of its iteration. */
        TAKE,
        /** It is there, or its iteration is over: forget it. */
        OLD,
        /** Two or more iterations ahead, so the sender breaks the rules: forget it. */
        EARLY
    }

    private final boolean[] current;
    private final boolean[] next;
    private final long retry;
    private long iteration;
    private long askAt;

    /**
     * @param edges incoming edges, empty ones included
     * @param retryAfter when a missing halo is asked for
     * @param iteration completed before this block began
     */
    public LockStepHalos(int edges, Duration retryAfter, long iteration, long now) {
        this.iteration = iteration;
        current = new boolean[edges];
        next = new boolean[edges];
        retry = retryAfter.toNanos();
        askAt = now + retry;
    }

    /** Of a block that begins from the start. */
    public LockStepHalos(int edges, Duration retryAfter, long now) {
        this(edges, retryAfter, 0, now);
    }

    /** The slot of an iteration's halo: 0 or 1. */
    public static int slot(long iteration) {
        return (int) (iteration & 1);
    }

    /** Whether the halo number {@code iteration} of {@code edge} is wanted; marks it as taken if so. */
    public synchronized Verdict offer(int edge, long iteration) {
        if (iteration > this.iteration + 1) {
            return Verdict.EARLY;
        }
        boolean[] there = iteration == this.iteration ? current : next;
        if (iteration < this.iteration || there[edge]) {
            return Verdict.OLD;
        }
        there[edge] = true;
        return Verdict.TAKE;
    }

    /** Whether all halos of the current iteration are there. */
    public synchronized boolean isReady() {
        for (boolean there : current) {
            if (!there) {
                return false;
            }
        }
        return true;
    }

    /** The current iteration is done; its halos are no longer read. */
    public synchronized void advance(long now) {
        if (!isReady()) {
            throw new IllegalStateException("iteration " + iteration + " advanced without all of its halos");
        }
        System.arraycopy(next, 0, current, 0, next.length);
        Arrays.fill(next, false);
        iteration++;
        askAt = now + retry;
    }

    /** Iterations completed, which is the number of the halos wanted now. */
    public synchronized long iteration() {
        return iteration;
    }

    /** When {@link #overdue} has something to ask for. */
    public synchronized long wakeUp() {
        return isReady() ? Long.MAX_VALUE : askAt;
    }

    /** Edges whose halo of the current iteration should be asked for now; each at most once in a retry period. */
    public synchronized int[] overdue(long now) {
        if (now < askAt || isReady()) {
            return new int[0];
        }
        askAt = now + retry;
        int[] missing = new int[current.length];
        int count = 0;
        for (int edge = 0; edge < current.length; edge++) {
            if (!current[edge]) {
                missing[count++] = edge;
            }
        }
        return Arrays.copyOf(missing, count);
    }
}
