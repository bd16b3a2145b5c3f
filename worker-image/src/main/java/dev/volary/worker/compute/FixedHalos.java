// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.compute;

import dev.volary.solver.Decomposition;
import dev.volary.solver.Edge;
import dev.volary.solver.Halos;
import dev.volary.solver.Model;
import java.util.ArrayList;
import java.util.List;

/**
 * Halos that stay as they are, as those of one recorded vector.
 *
 * @param all by incoming edge
 */
public record FixedHalos(List<double[]> all) implements Halos {

    /** The halos that a block assumes until it has received any. */
    public static FixedHalos initial(Model model, Decomposition decomposition, int block) {
        List<double[]> initial = new ArrayList<>();
        for (Edge edge : decomposition.incoming(block)) {
            double[] values = new double[edge.haloSize()];
            model.initialHalo(edge, values);
            initial.add(values);
        }
        return new FixedHalos(initial);
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
