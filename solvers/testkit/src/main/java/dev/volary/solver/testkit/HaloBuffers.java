// SPDX-License-Identifier: Apache-2.0
package dev.volary.solver.testkit;

import dev.volary.solver.Edge;
import dev.volary.solver.Halos;
import java.util.Arrays;
import java.util.List;

/** The halos of one block, as plain arrays that a test fills. */
public final class HaloBuffers implements Halos {
    private final double[][] values;
    private final boolean[] fresh;

    /** {@link Edge#haloSize} zeros for each of {@code incoming}, none fresh. */
    public HaloBuffers(List<Edge> incoming) {
        values = new double[incoming.size()][];
        for (int k = 0; k < values.length; k++) {
            values[k] = new double[incoming.get(k).haloSize()];
        }
        fresh = new boolean[values.length];
    }

    private HaloBuffers(double[][] values, boolean[] fresh) {
        this.values = values;
        this.fresh = fresh;
    }

    /** Replaces the values of halo {@code k}; they count as fresh until the block iterates. */
    public void put(int k, double[] newer) {
        System.arraycopy(newer, 0, values[k], 0, values[k].length);
        fresh[k] = true;
    }

    /** The array of halo {@code k}, to be filled in place; it counts as fresh. */
    public double[] refill(int k) {
        fresh[k] = true;
        return values[k];
    }

    /** Nothing is fresh any more: the block has iterated. */
    public void read() {
        Arrays.fill(fresh, false);
    }

    /** A deep copy. */
    HaloBuffers copy() {
        double[][] copies = new double[values.length][];
        for (int k = 0; k < copies.length; k++) {
            copies[k] = values[k].clone();
        }
        return new HaloBuffers(copies, fresh.clone());
    }

    /** Overwrites everything with NaN, as a runtime that reuses its arrays might. */
    void spoil() {
        for (double[] halo : values) {
            Arrays.fill(halo, Double.NaN);
        }
    }

    boolean sameValues(HaloBuffers other) {
        return Arrays.deepEquals(values, other.values);
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
