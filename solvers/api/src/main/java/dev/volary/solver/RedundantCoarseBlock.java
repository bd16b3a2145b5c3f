// SPDX-License-Identifier: Apache-2.0
package dev.volary.solver;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;

/**
 * A {@link RoundBlock} with its own copy of the coarse problem. One iteration is one round: the newest loads of all blocks, a
 * coarse cycle, the map, the iteration of the block, its load. The coarse solution is no part of the state: a restored block
 * finds it again from the loads.
 */
public sealed class RedundantCoarseBlock implements HaloWriter permits SteppedRedundantCoarseBlock {
    /** The coarse solution of a restored block is that of the start, so its first round makes several cycles. */
    private static final int CYCLES_AFTER_RESTORE = 3;
    /**
     * The first round spoils a vector as far as the coarse solution differs from that vector's. A cycle that gains least, round a
     * vortex, makes the difference three times as small.
     */
    private static final int CYCLES_FROM_VECTOR = 20;
    /** The coarse solution is that of the last step. */
    private static final int CYCLES_AFTER_COMMIT = 3;

    private final RoundBlock block;
    private final CoarseBlock coarse;
    private final int id;
    private final List<Edge> incoming;
    /** The model's own edges; the first edges of {@link #incoming} carry the same unknowns. */
    private final List<Edge> neighbors;

    private final List<Edge> readers;
    /** By source. */
    private final double[][] loads;

    private final double[] load;
    private final double[] map;
    private final NeighborHalos neighborHalos;
    /** Whether a load of another block has come. With its own alone the coarse solution would be that of no vector. */
    private boolean hasLoads;

    private int cycles = 1;
    private double residual = Double.POSITIVE_INFINITY;

    /**
     * @param own the model's own decomposition
     * @param incoming the edges that halos are passed for, those of {@code own} first
     */
    RedundantCoarseBlock(
            RoundBlock block, CoarseBlock coarse, Decomposition own, CoarseSizes sizes, int id, List<Edge> incoming) {
        this.block = block;
        this.coarse = coarse;
        this.id = id;
        this.incoming = incoming;
        neighbors = own.incoming(id);
        readers = own.outgoing(id);
        loads = new double[incoming.size()][];
        for (int k = 0; k < loads.length; k++) {
            loads[k] = new double[sizes.load(incoming.get(k).from())];
        }
        load = new double[sizes.load(id)];
        map = new double[sizes.map(id)];
        neighborHalos = new NeighborHalos();
        coarse.start();
        coarse.writeMap(id, map);
        if (block instanceof SteppedBlock) {
            block.takeMap(map); // it has a better guess, the values of the last step
        } else {
            block.restoreFromMap(map);
        }
        block.writeLoad(load);
    }

    @Override
    public double iterate(Halos newest) {
        takeLoads(newest);
        if (hasLoads || loads.length == 0) {
            coarse.load(id, load);
            for (int c = 0; c < cycles; c++) {
                coarse.round();
            }
            cycles = 1;
            coarse.writeMap(id, map);
        }
        block.takeMap(map);
        double hint = block.iterate(neighborHalos.of(newest));
        block.writeLoad(load);
        residual = block.roundResidual();
        return hint;
    }

    private void takeLoads(Halos halos) {
        for (int k = 0; k < loads.length; k++) {
            double[] halo = halos.values(k);
            int end = incoming.get(k).haloSize() - RedundantCoarseModel.TRAILER;
            if (isWritten(k, halo)) {
                System.arraycopy(halo, end - loads[k].length, loads[k], 0, loads[k].length);
                coarse.load(incoming.get(k).from(), loads[k]);
                hasLoads = true;
            }
        }
    }

    private boolean isWritten(int k, double[] halo) {
        int size = incoming.get(k).haloSize();
        return halo.length >= size && halo[size - RedundantCoarseModel.TRAILER] > 0;
    }

    /**
     * The largest residual of a round: of this block's last iteration, and of those that made these halos; infinite while one
     * is not known.
     */
    public double roundResidual(Halos newest) {
        double largest = residual;
        for (int k = 0; k < loads.length; k++) {
            largest = Math.max(largest, residualOf(k, newest.values(k)));
        }
        return largest;
    }

    private double residualOf(int k, double[] halo) {
        return isWritten(k, halo) ? halo[incoming.get(k).haloSize() - 1] : Double.POSITIVE_INFINITY;
    }

    /** As {@link RoundBlock#healing}. */
    public int healing(boolean fromCopy) {
        return block.healing(fromCopy);
    }

    /** No copy is left: takes the state that the other blocks' loads imply, the interpolated coarse solution. */
    public void restoreFromLoads(Halos newest) {
        takeLoads(newest);
        for (int c = 0; c < CYCLES_AFTER_RESTORE; c++) {
            coarse.round();
        }
        coarse.writeMap(id, map);
        block.restoreFromMap(map);
        stateReplaced(1);
    }

    /** The block has committed a step. */
    final void stepBegun() {
        coarse.nextStep();
        stateReplaced(CYCLES_AFTER_COMMIT);
    }

    /** The halos that the block itself knows. */
    final Halos ofNeighbors(Halos all) {
        return new NeighborHalos().of(all);
    }

    private void stateReplaced(int nextCycles) {
        block.writeLoad(load);
        cycles = nextCycles;
        residual = Double.POSITIVE_INFINITY;
    }

    @Override
    public void writeHalo(Edge edge, double[] target) {
        int size = edge.haloSize();
        int at = size - RedundantCoarseModel.TRAILER - load.length;
        boolean isNeighbor = false;
        for (Edge reader : readers) {
            if (reader.to() == edge.to()) {
                block.writeHalo(reader, target);
                isNeighbor = true;
            }
        }
        if (!isNeighbor) {
            Arrays.fill(target, 0, at, 0);
        }
        System.arraycopy(load, 0, target, at, load.length);
        target[size - RedundantCoarseModel.TRAILER] = 1;
        target[size - 1] = residual;
    }

    @Override
    public double reach() {
        return block.reach();
    }

    @Override
    public void copyCore(double[] target) {
        block.copyCore(target);
    }

    @Override
    public void setCore(double[] core, Halos halos) {
        block.setCore(core, neighborHalos.of(halos));
        takeLoads(halos);
        stateReplaced(CYCLES_AFTER_RESTORE);
    }

    /**
     * Prepares the first round of a job whose blocks all start from one vector, after {@link #setCore}. That round makes enough
     * coarse cycles to keep what the vector has gained over the coarse solution.
     */
    public void startFromVector() {
        cycles = CYCLES_FROM_VECTOR;
    }

    /** Evaluated by the block alone; loads and coarse solution take no part. */
    @Override
    public Residual residual(double[] core, Halos recorded) {
        return block.residual(core, ofNeighbors(recorded));
    }

    @Override
    public void save(DataOutput out) throws IOException {
        block.save(out);
    }

    @Override
    public void load(DataInput in) throws IOException {
        block.load(in);
        block.writeLoad(load);
    }

    /** The first of the halos, those that the block itself knows. Of one that was not written it gets the values of the edge only. */
    private final class NeighborHalos implements Halos {
        private Halos all = this;

        Halos of(Halos newest) {
            all = newest;
            return this;
        }

        @Override
        public int size() {
            return neighbors.size();
        }

        @Override
        public double[] values(int k) {
            double[] halo = all.values(k);
            return isWritten(k, halo)
                    ? halo
                    : Arrays.copyOf(halo, neighbors.get(k).values().size());
        }

        @Override
        public boolean fresh(int k) {
            return all.fresh(k);
        }
    }
}
