// SPDX-License-Identifier: Apache-2.0
package dev.volary.solver.testkit;

import dev.volary.solver.Block;
import dev.volary.solver.Halos;
import dev.volary.solver.Residual;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/** A correct block, of which tests override something to plant a bug. */
abstract class DelegatingBlock implements Block {
    protected final Block block;

    DelegatingBlock(Block block) {
        this.block = block;
    }

    @Override
    public double iterate(Halos newest) {
        return block.iterate(newest);
    }

    @Override
    public void copyCore(double[] target) {
        block.copyCore(target);
    }

    @Override
    public void setCore(double[] core, Halos halos) {
        block.setCore(core, halos);
    }

    @Override
    public Residual residual(double[] core, Halos recorded) {
        return block.residual(core, recorded);
    }

    @Override
    public void save(DataOutput out) throws IOException {
        block.save(out);
    }

    @Override
    public void load(DataInput in) throws IOException {
        block.load(in);
    }
}
