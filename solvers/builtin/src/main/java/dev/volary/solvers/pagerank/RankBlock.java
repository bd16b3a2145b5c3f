// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.pagerank;

import dev.volary.solver.Decomposition;
import dev.volary.solver.Edge;
import dev.volary.solver.HaloWriter;
import dev.volary.solver.Halos;
import dev.volary.solver.Residual;
import dev.volary.solver.SentValues;
import java.util.Arrays;

/** The pages of one block, starting from the teleport alone. */
final class RankBlock implements HaloWriter {
    private final RankRows rows;
    private final int sweeps;
    private final double hintFactor;
    private final SentValues sent;
    /** Of the own slots. */
    private final double[] ranks;

    private final double[] flow;
    /** Whether the ranks of pages without outgoing links are older than the others. */
    private boolean isSwept;

    RankBlock(LinkGraph graph, Decomposition decomposition, int id, int sweeps) {
        this.rows = new RankRows(graph, decomposition, id);
        this.sweeps = sweeps;
        // What a sweep changes by δ leaves a residual of at most d δ; pages without outgoing links leave none.
        this.hintFactor = graph.damping() * decomposition.blocks();
        this.sent = new SentValues(decomposition, id).keptAt(rows.slotOfPlaces());
        this.ranks = new double[rows.core()];
        this.flow = new double[rows.slots()];
        double[] teleport = new double[rows.core()];
        Arrays.fill(teleport, graph.teleport());
        rows.takeCore(teleport, ranks, flow);
    }

    @Override
    public double iterate(Halos newest) {
        rows.takeHalos(newest, flow);
        double changes = 0;
        for (int sweep = 0; sweep < sweeps; sweep++) {
            changes = rows.sweep(ranks, flow);
        }
        isSwept = true;
        return hintFactor * changes;
    }

    @Override
    public void copyCore(double[] target) {
        rows.writeCore(ranks, flow, isSwept, target);
    }

    @Override
    public void setCore(double[] core, Halos halos) {
        rows.takeCore(core, ranks, flow);
        rows.takeHalos(halos, flow);
        isSwept = false;
    }

    @Override
    public void writeHalo(Edge edge, double[] target) {
        sent.write(edge, ranks, target);
    }

    @Override
    public Residual residual(double[] core, Halos recorded) {
        double[] recordedFlow = new double[rows.slots()];
        double[] recordedRanks = new double[rows.core()];
        rows.takeCore(core, recordedRanks, recordedFlow);
        rows.takeHalos(recorded, recordedFlow);
        return rows.certify(recordedRanks, recordedFlow);
    }

    @Override
    public double reach() {
        return sweeps;
    }
}
