// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.halo;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * A newest-wins slot between one writer and one reader, neither of which ever waits: three buffers, of which the writer owns
 * one, the reader one, and the third changes hands.
 */
final class TripleBuffer {
    private static final int FRESH = 4;
    private static final int INDEX = 3;

    private final HaloBuffer[] frames;
    private final AtomicInteger middle = new AtomicInteger(1);
    private int back;
    private int front = 2;

    TripleBuffer(int length) {
        frames = new HaloBuffer[] {new HaloBuffer(length), new HaloBuffer(length), new HaloBuffer(length)};
    }

    /** The writer's buffer. */
    HaloBuffer back() {
        return frames[back];
    }

    /**
     * Hands the writer's buffer over and gives it another.
     *
     * @return whether the reader had not seen what was there: it is overwritten
     */
    boolean push() {
        int old = middle.getAndSet(back | FRESH);
        back = old & INDEX;
        return (old & FRESH) != 0;
    }

    /** Whether there is something that {@link #pull} has not taken yet; for any thread. */
    boolean fresh() {
        return (middle.get() & FRESH) != 0;
    }

    /** Makes the newest buffer the reader's, if there is one it has not seen. */
    boolean pull() {
        if (!fresh()) {
            return false;
        }
        front = middle.getAndSet(front) & INDEX;
        return true;
    }

    /** The reader's buffer. */
    HaloBuffer front() {
        return frames[front];
    }
}
