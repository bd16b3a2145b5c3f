// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.linear;

import dev.volary.solver.Decomposition;
import dev.volary.solver.Edge;
import dev.volary.solver.HaloWriter;
import dev.volary.solver.Halos;
import dev.volary.solver.Residual;
import dev.volary.solver.SentValues;

/** One block of a linear system, starting from zero. */
final class LinearBlock implements HaloWriter {
    private final BlockRows rows;
    private final BlockRows certificate;
    private final LocalSolver solve;
    private final SentValues sent;
    private final double[] x;
    private final double[] residual;

    /**
     * @param rows that it iterates on
     * @param certificate rows of which it computes the residual; of the same pattern
     */
    LinearBlock(BlockRows rows, BlockRows certificate, LocalSolver solve, Decomposition decomposition, int id) {
        this.rows = rows;
        this.certificate = certificate;
        this.solve = solve;
        this.x = new double[rows.slots()];
        this.residual = new double[rows.core()];
        this.sent = new SentValues(decomposition, id);
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
        sent.write(edge, x, target);
    }

    @Override
    public Residual residual(double[] core, Halos recorded) {
        double[] recordedX = new double[rows.slots()];
        System.arraycopy(core, 0, recordedX, 0, rows.core());
        rows.takeHalos(recorded, recordedX);
        return certificate.certify(recordedX);
    }
}
