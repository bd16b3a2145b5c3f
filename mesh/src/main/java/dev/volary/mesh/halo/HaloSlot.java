// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.halo;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * A slot between one writer and one reader, neither of which ever waits: the writer owns one buffer, the reader one, and between
 * them one or two wait to be read, oldest first. If no more can wait, the oldest is overwritten.
 */
final class HaloSlot {
    private static final int COUNT_BITS = 2;
    private static final int COUNT = 3;
    private static final int INDEX_BITS = 2;
    private static final int INDEX = 3;

    private final HaloBuffer[] buffers;
    private final int most;
    private final int last;
    /** How many wait, and the buffers between writer and reader: first those that wait, then the free ones. */
    private final AtomicInteger between;

    private int back;
    private int front;

    /**
     * @param length number of values
     * @param most buffers that can wait, 1 or 2
     */
    HaloSlot(int length, int most) {
        this.most = most;
        last = position(most - 1);
        buffers = new HaloBuffer[most + 2];
        int indices = 0;
        for (int k = 0; k < buffers.length; k++) {
            buffers[k] = new HaloBuffer(length);
            if (k < most) {
                indices |= k << position(k);
            }
        }
        between = new AtomicInteger(indices);
        back = most;
        front = most + 1;
    }

    private static int position(int k) {
        return COUNT_BITS + INDEX_BITS * k;
    }

    private static int index(int state, int position) {
        return (state >> position) & INDEX;
    }

    /** The buffers between, without the first one, and this one behind them. */
    private int shifted(int state, int behind) {
        return ((state >> (COUNT_BITS + INDEX_BITS)) << COUNT_BITS) | (behind << last);
    }

    /** The writer's buffer. */
    HaloBuffer back() {
        return buffers[back];
    }

    /**
     * Hands the writer's buffer over and gives it another.
     *
     * @return whether it is one that the reader has not seen
     */
    boolean push() {
        while (true) {
            int state = between.get();
            int count = state & COUNT;
            boolean isFull = count == most;
            int at = position(isFull ? 0 : count);
            int next = isFull ? shifted(state, back) | count : ((state & ~(INDEX << at)) | (back << at)) + 1;
            if (between.compareAndSet(state, next)) {
                back = index(state, at);
                return isFull;
            }
        }
    }

    /** Whether there is something that {@link #pull} has not taken yet; for any thread. */
    boolean fresh() {
        return (between.get() & COUNT) > 0;
    }

    /** Whether no more can wait; for any thread. */
    boolean isFull() {
        return (between.get() & COUNT) == most;
    }

    /** Makes the oldest buffer that waits the reader's, if there is one. */
    boolean pull() {
        while (true) {
            int state = between.get();
            int count = state & COUNT;
            if (count == 0) {
                return false;
            }
            if (between.compareAndSet(state, shifted(state, front) | (count - 1))) {
                front = index(state, COUNT_BITS);
                return true;
            }
        }
    }

    /** The reader's buffer. */
    HaloBuffer front() {
        return buffers[front];
    }
}
