// SPDX-License-Identifier: Apache-2.0
package dev.volary.solver;

import java.util.Arrays;
import java.util.List;

/**
 * Where in the core of a block the values lie that its outgoing edges carry: what a block of a {@link GraphDecomposition} needs to
 * write its halos. Immutable.
 */
public final class SentValues {
    private final List<Edge> outgoing;
    private final int[][] positions;

    /** Of block {@code id}. */
    public SentValues(Decomposition decomposition, int id) {
        Shape unknowns = decomposition.unknowns();
        outgoing = decomposition.outgoing(id);
        int[] position = new int[Math.toIntExact(unknowns.size())];
        long[] core = decomposition.parts().get(id).core().indices(unknowns);
        for (int i = 0; i < core.length; i++) {
            position[(int) core[i]] = i;
        }
        positions = new int[outgoing.size()][];
        for (int k = 0; k < positions.length; k++) {
            long[] sent = outgoing.get(k).values().indices(unknowns);
            positions[k] = new int[sent.length];
            for (int i = 0; i < sent.length; i++) {
                positions[k][i] = position[(int) sent[i]];
            }
        }
    }

    private SentValues(List<Edge> outgoing, int[][] positions) {
        this.outgoing = outgoing;
        this.positions = positions;
    }

    /**
     * These, for a block that keeps its values in an order of its own.
     *
     * @param places of each position in the core, where the block keeps its value
     */
    public SentValues keptAt(int[] places) {
        int[][] kept = new int[positions.length][];
        Arrays.setAll(kept, k -> Arrays.stream(positions[k]).map(i -> places[i]).toArray());
        return new SentValues(outgoing, kept);
    }

    /**
     * The positions of the values of an edge, in its order.
     *
     * @param k which of the {@linkplain Decomposition#outgoing outgoing edges}
     * @return not to be changed
     */
    public int[] positions(int k) {
        return positions[k];
    }

    /**
     * Writes the values of an edge, as {@link HaloWriter#writeHalo} does.
     *
     * @param core values of the core, in its order or that of {@link #keptAt}; may be followed by others
     * @throws IllegalArgumentException if the edge does not start at this block
     */
    public void write(Edge edge, double[] core, double[] target) {
        for (int k = 0; k < positions.length; k++) {
            if (outgoing.get(k).to() == edge.to()) {
                int[] sent = positions[k];
                for (int i = 0; i < sent.length; i++) {
                    target[i] = core[sent[i]];
                }
                return;
            }
        }
        throw new IllegalArgumentException(edge + " does not start at this block");
    }
}
