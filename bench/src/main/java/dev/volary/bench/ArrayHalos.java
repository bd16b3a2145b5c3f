// SPDX-License-Identifier: Apache-2.0
package dev.volary.bench;

import dev.volary.solver.Decomposition;
import dev.volary.solver.Halos;
import java.util.List;

/** Halos of a block in arrays that a benchmark writes, or leaves at zero; always fresh. */
record ArrayHalos(List<double[]> all) implements Halos {

    /** Zeros for all that a block reads. */
    static ArrayHalos zeros(Decomposition decomposition, int block) {
        return new ArrayHalos(decomposition.incoming(block).stream()
                .map(edge -> new double[edge.haloSize()])
                .toList());
    }

    @Override
    public int size() {
        return all.size();
    }

    @Override
    public double[] values(int k) {
        return all.get(k);
    }

    @Override
    public boolean fresh(int k) {
        return true;
    }
}
