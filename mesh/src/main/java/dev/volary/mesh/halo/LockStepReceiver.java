// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.halo;

import dev.volary.mesh.link.BlockPair;
import dev.volary.mesh.link.LockStepLink;
import dev.volary.mesh.link.MeshListener;
import dev.volary.protocol.model.Incarnation;
import java.time.Duration;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Receiving end of the synchronous scheme: one buffer in use, up to two that wait, so that the partner's next values never
 * overwrite those still being read.
 */
public final class LockStepReceiver extends LinkReceiver implements LockStepLink {
    private final HaloBuffer[] frames;
    private final boolean[] waiting = new boolean[3];
    private int used;
    private @Nullable Incarnation newest;

    public LockStepReceiver(BlockPair edge, int length, MeshListener listener) {
        super(edge, length, listener);
        frames = new HaloBuffer[] {new HaloBuffer(length), new HaloBuffer(length), new HaloBuffer(length)};
    }

    @Override
    @Nullable HaloBuffer buffer(Incarnation incarnation, int step, long iteration) {
        if (!older(incarnation) && (find(incarnation, step, iteration) >= 0 || passed(incarnation, step, iteration))) {
            return null; // there already
        }
        int latest = -1;
        for (int i = 0; i < frames.length; i++) {
            if (i == used) {
                continue;
            }
            if (!waiting[i]) {
                return frames[i];
            }
            if (latest < 0 || before(frames[latest].step, frames[latest].iteration, frames[i])) {
                latest = i;
            }
        }
        // Two wait already. What is needed first stays; values that are further ahead than lock-step allows are
        // dropped.
        // The first values of a new step are allowed: they are about to be needed, unlike the latest of the old one.
        boolean ahead = step == frames[latest].step && !before(step, iteration, frames[latest]);
        if (newest != null && incarnation.equals(newest) && ahead) {
            return null;
        }
        waiting[latest] = false;
        conflated.incrementAndGet();
        return frames[latest];
    }

    @Override
    Admission commit(HaloBuffer filled, Incarnation incarnation, int step, long iteration, int coarse, long nanos) {
        if (older(incarnation)) {
            return Admission.FENCED;
        }
        if (newest == null || incarnation.compareTo(newest) > 0) {
            newest = incarnation;
            Arrays.fill(waiting, false);
        }
        filled.label(incarnation, step, iteration, coarse, nanos);
        for (int i = 0; i < frames.length; i++) {
            if (frames[i] == filled) {
                waiting[i] = true;
            }
        }
        writers.notifyAll();
        return Admission.ADMITTED;
    }

    @Override
    public void acceptFrom(Incarnation oldest) {
        synchronized (writers) {
            if (newest == null || oldest.compareTo(newest) > 0) {
                newest = oldest;
                Arrays.fill(waiting, false);
            }
        }
    }

    @Override
    public boolean take(int step, long iteration) {
        synchronized (writers) {
            for (int i = 0; i < frames.length; i++) {
                if (waiting[i] && frames[i].holds(step, iteration)) {
                    waiting[i] = false;
                    used = i;
                    setInUse(frames[i]);
                    forgetBefore(step, iteration);
                    return true;
                }
            }
            return false;
        }
    }

    @Override
    public boolean await(int step, long iteration, Duration timeout) throws InterruptedException {
        long deadline = System.nanoTime() + timeout.toNanos();
        synchronized (writers) {
            while (!take(step, iteration)) {
                long left = deadline - System.nanoTime();
                if (left <= 0) {
                    return false;
                }
                writers.wait(left / 1_000_000, (int) (left % 1_000_000));
            }
            return true;
        }
    }

    /** What was left behind must not keep its successors out. */
    private void forgetBefore(int step, long iteration) {
        for (int i = 0; i < frames.length; i++) {
            waiting[i] &= before(step, iteration, frames[i]);
        }
    }

    private boolean older(Incarnation incarnation) {
        return newest != null && incarnation.compareTo(newest) < 0;
    }

    private boolean passed(Incarnation incarnation, int step, long iteration) {
        HaloBuffer frame = frames[used];
        return incarnation.equals(frame.incarnation)
                && (step < frame.step || (step == frame.step && iteration <= frame.iteration));
    }

    private int find(Incarnation incarnation, int step, long iteration) {
        for (int i = 0; i < frames.length; i++) {
            if (waiting[i] && frames[i].holds(step, iteration) && incarnation.equals(frames[i].incarnation)) {
                return i;
            }
        }
        return -1;
    }

    private static boolean before(int step, long iteration, HaloBuffer other) {
        return step != other.step ? step < other.step : iteration < other.iteration;
    }

    @Override
    public boolean hasValues() {
        return frames[used].incarnation != null;
    }

    @Override
    public double[] values() {
        return frames[used].values;
    }

    @Override
    public Incarnation incarnation() {
        return incarnationOf(frames[used], edge);
    }

    @Override
    public int step() {
        return frames[used].step;
    }

    @Override
    public long iteration() {
        return frames[used].iteration;
    }

    @Override
    public int coarseVersion() {
        return frames[used].coarseVersion;
    }

    @Override
    public long arrivedNanos() {
        return frames[used].nanos;
    }
}
