// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.compute;

import dev.volary.mesh.link.IncomingLink;
import dev.volary.solver.Halos;
import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;

/** A block's incoming links as the solver sees them. Values stay as they are between two calls of {@link #taken}. */
final class LinkHalos implements Halos {
    private final double[][] values;
    /** Whether the array in use belongs to this set, not to a link. */
    private final boolean[] owned;

    private final boolean[] fresh;
    private final long[] arrivedNanos;
    /** Read by other threads too, for reports. */
    private final AtomicLongArray takenAt;

    /**
     * @param initial for each edge the values to assume until the first halo arrives
     * @param iteration of this block at which they were put into use
     */
    LinkHalos(List<double[]> initial, long iteration) {
        values = initial.toArray(double[][]::new);
        owned = new boolean[values.length];
        fresh = new boolean[values.length];
        arrivedNanos = new long[values.length];
        takenAt = new AtomicLongArray(values.length);
        for (int k = 0; k < values.length; k++) {
            takenAt.setPlain(k, iteration);
        }
    }

    /** Puts the values that a link has taken just now into use. */
    void taken(int k, IncomingLink link, long iteration) {
        values[k] = link.values();
        owned[k] = false;
        fresh[k] = true;
        arrivedNanos[k] = link.arrivedNanos();
        takenAt.setRelease(k, iteration);
    }

    /** As {@link #taken}, with a copy of these values: those of the link may change before the next are put into use. */
    void copied(int k, double[] newest, long arrived, long iteration) {
        if (!owned[k] || values[k].length != newest.length) {
            values[k] = new double[newest.length];
            owned[k] = true;
        }
        System.arraycopy(newest, 0, values[k], 0, newest.length);
        fresh[k] = true;
        arrivedNanos[k] = arrived;
        takenAt.setRelease(k, iteration);
    }

    /**
     * As {@link #taken}, with an array that belongs to this set from now on.
     *
     * @return an array of the same length, for the caller to fill: the values that were in use, if they can serve
     */
    double[] exchanged(int k, double[] newest, long arrived, long iteration) {
        double[] earlier = values[k];
        boolean canServe = owned[k] && earlier.length == newest.length;
        values[k] = newest;
        owned[k] = true;
        fresh[k] = true;
        arrivedNanos[k] = arrived;
        takenAt.setRelease(k, iteration);
        return canServe ? earlier : new double[newest.length];
    }

    /** Nothing new came for edge {@code k}. */
    void stale(int k) {
        fresh[k] = false;
    }

    /** Arrival of the oldest halo in use; {@code now} if there are no edges. */
    long oldestArrival(long now) {
        long oldest = now;
        for (long arrived : arrivedNanos) {
            oldest = Math.min(oldest, arrived);
        }
        return oldest;
    }

    /** Iteration of this block at which the oldest halo in use was taken; {@code now} if there are no edges. */
    long oldestTaken(long now) {
        long oldest = now;
        for (int k = 0; k < takenAt.length(); k++) {
            oldest = Math.min(oldest, takenAt.getPlain(k));
        }
        return oldest;
    }

    /** Iteration of this block at which the values of edge {@code k} were taken; from any thread. */
    long takenAt(int k) {
        return takenAt.getAcquire(k);
    }

    @Override
    public int size() {
        return values.length;
    }

    @Override
    public double[] values(int k) {
        return values[k];
    }

    @Override
    public boolean fresh(int k) {
        return fresh[k];
    }
}
