// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.linear;

import dev.volary.solver.Decomposition;
import dev.volary.solver.Edge;
import dev.volary.solver.HaloWriter;
import dev.volary.solver.Halos;
import dev.volary.solver.Residual;
import java.util.List;

/** One block of a linear system, starting from zero. */
final class LinearBlock implements HaloWriter {
    private final BlockRows rows;
    private final LocalSolver solve;
    private final int[] readers;
    private final int[][] sentPositions;
    private final double[] x;
    private final double[] residual;

    LinearBlock(BlockRows rows, LocalSolver solve, Decomposition decomposition, int id) {
        this.rows = rows;
        this.solve = solve;
        this.x = new double[rows.slots()];
        this.residual = new double[rows.core()];
        List<Edge> outgoing = decomposition.outgoing(id);
        this.readers = outgoing.stream().mapToInt(Edge::to).toArray();
        this.sentPositions = new int[readers.length][];
        int[] position = new int[Math.toIntExact(decomposition.unknowns().size())];
        long[] core = decomposition.parts().get(id).core().indices(decomposition.unknowns());
        for (int i = 0; i < core.length; i++) {
            position[(int) core[i]] = i;
        }
        for (int k = 0; k < readers.length; k++) {
            long[] sent = outgoing.get(k).values().indices(decomposition.unknowns());
            sentPositions[k] = new int[sent.length];
            for (int i = 0; i < sent.length; i++) {
                sentPositions[k][i] = position[(int) sent[i]];
            }
        }
    }

    /** One local solve; returns the maximum norm of the local residual before it. */
    @Override
    public double iterate(Halos newest) {
        rows.takeHalos(newest, x);
        double norm = rows.residual(x, residual);
        solve.improve(x, residual);
        return norm;
    }

    @Override
    public void copyCore(double[] target) {
        System.arraycopy(x, 0, target, 0, rows.core());
    }

    @Override
    public void setCore(double[] core, Halos halos) {
        System.arraycopy(core, 0, x, 0, rows.core());
        rows.takeHalos(halos, x);
    }

    @Override
    public void writeHalo(Edge edge, double[] target) {
        for (int k = 0; k < readers.length; k++) {
            if (readers[k] == edge.to()) {
                int[] positions = sentPositions[k];
                for (int i = 0; i < positions.length; i++) {
                    target[i] = x[positions[i]];
                }
                return;
            }
        }
        throw new IllegalArgumentException("no edge of this block goes to block " + edge.to());
    }

    @Override
    public Residual residual(double[] core, Halos recorded) {
        double[] recordedX = new double[rows.slots()];
        System.arraycopy(core, 0, recordedX, 0, rows.core());
        rows.takeHalos(recorded, recordedX);
        return rows.certify(recordedX);
    }
}
