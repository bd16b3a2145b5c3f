// SPDX-License-Identifier: Apache-2.0
package dev.volary.solver.testkit;

import dev.volary.solver.Decomposition;
import dev.volary.solver.Edge;
import dev.volary.solver.Subdomain;

/** Where the unknowns of a decomposition lie: which vector elements a core has, and which core elements an edge carries. */
final class Positions {
    private final Decomposition decomposition;
    private final int[] withinCore;

    Positions(Decomposition decomposition) {
        this.decomposition = decomposition;
        this.withinCore = new int[Math.toIntExact(decomposition.unknowns().size())];
        for (Subdomain part : decomposition.parts()) {
            int[] next = {0};
            part.core().forEach(decomposition.unknowns(), index -> withinCore[(int) index] = next[0]++);
        }
    }

    int unknowns() {
        return withinCore.length;
    }

    /** The elements of the core of {@code edge.from()} that the edge carries, in the edge's order. */
    int[] inSource(Edge edge) {
        int[] positions = new int[edge.values().size()];
        int[] next = {0};
        edge.values().forEach(decomposition.unknowns(), index -> positions[next[0]++] = withinCore[(int) index]);
        return positions;
    }

    /** The core of a block, cut out of the whole vector. */
    double[] core(double[] vector, int block) {
        Subdomain part = decomposition.parts().get(block);
        double[] core = new double[part.core().size()];
        int[] next = {0};
        part.core().forEach(decomposition.unknowns(), index -> core[next[0]++] = vector[(int) index]);
        return core;
    }

    /** Puts the core of a block at its place in the whole vector. */
    void place(double[] core, int block, double[] vector) {
        int[] next = {0};
        decomposition
                .parts()
                .get(block)
                .core()
                .forEach(decomposition.unknowns(), index -> vector[(int) index] = core[next[0]++]);
    }

    /** What a block reads of the whole vector. */
    HaloBuffers halos(double[] vector, int block) {
        HaloBuffers halos = new HaloBuffers(decomposition.incoming(block));
        for (int k = 0; k < halos.size(); k++) {
            double[] values = halos.refill(k);
            int[] next = {0};
            decomposition
                    .incoming(block)
                    .get(k)
                    .values()
                    .forEach(decomposition.unknowns(), index -> values[next[0]++] = vector[(int) index]);
        }
        return halos;
    }
}
