// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.multigrid;

import dev.volary.solver.Edge;
import dev.volary.solver.Halos;
import dev.volary.solver.Residual;
import dev.volary.solver.RoundBlock;
import dev.volary.solver.SteppedBlock;
import dev.volary.solvers.kernel.SteppedRelaxation;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * A {@link MultigridBlock} of a problem that marches in time. The block reads the values committed last on its whole patch, as
 * its right-hand side; the certificate reads those of the core. A step begins with them as the guess.
 */
final class SteppedMultigridBlock implements RoundBlock, SteppedBlock {
    private final MultigridBlock block;
    /** Keeps the step and the committed values of the core. */
    private final SteppedRelaxation certificate;

    /**
     * @param block with the right-hand side of the first step
     * @param certificate that the block evaluates residuals with
     * @param initial u⁰
     */
    SteppedMultigridBlock(MultigridBlock block, SteppedRelaxation certificate, GridLevel.PointSource initial) {
        this.block = block;
        this.certificate = certificate;
        block.setValues(initial);
        block.beginStep();
    }

    @Override
    public int step() {
        return certificate.step();
    }

    @Override
    public void commit(double[] certified, Halos halos) {
        certificate.commit(certified);
        block.setCore(certified, halos);
        block.beginStep();
    }

    @Override
    public Residual residual(double[] core, Halos recorded) {
        return block.residual(core, recorded);
    }

    @Override
    public double iterate(Halos newest) {
        return block.iterate(newest);
    }

    @Override
    public void takeMap(double[] map) {
        block.takeMap(map);
    }

    @Override
    public void writeLoad(double[] target) {
        block.writeLoad(target);
    }

    @Override
    public double roundResidual() {
        return block.roundResidual();
    }

    @Override
    public void restoreFromMap(double[] map) {
        block.restoreFromMap(map);
    }

    @Override
    public void writeHalo(Edge edge, double[] target) {
        block.writeHalo(edge, target);
    }

    @Override
    public void copyCore(double[] target) {
        block.copyCore(target);
    }

    @Override
    public void setCore(double[] values, Halos halos) {
        block.setCore(values, halos);
    }

    @Override
    public void save(DataOutput out) throws IOException {
        certificate.save(out);
        block.saveSource(out);
        block.save(out);
    }

    @Override
    public void load(DataInput in) throws IOException {
        certificate.load(in);
        block.loadSource(in);
        block.load(in);
    }
}
