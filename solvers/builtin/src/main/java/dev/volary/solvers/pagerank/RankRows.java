// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.pagerank;

import dev.volary.solver.Decomposition;
import dev.volary.solver.Edge;
import dev.volary.solver.Halos;
import dev.volary.solver.Residual;
import dev.volary.solver.ResidualNorm;
import dev.volary.solvers.linear.matrix.SparseMatrix;
import java.util.List;

/**
 * The equations of one block. A slot is a page that the block owns or reads: the first are its own in the order of its core,
 * the others the values of its incoming edges, one edge after another. A page's <em>flow</em> is its rank times its share: what
 * it passes on over a link of weight 1. A row adds flows, so that one array is read for each link. Immutable.
 */
final class RankRows {
    private final LinkGraph graph;
    private final int core;
    private final int[] haloStart;
    private final int[] rowStart;
    private final int[] slots;
    /** Weight of each link; empty if all are 1. */
    private final double[] weights;

    private final double[] share;
    private final double teleport;

    /** Extracts the rows of block {@code id}, for all of which {@code decomposition} brings the values. */
    RankRows(LinkGraph graph, Decomposition decomposition, int id) {
        this.graph = graph;
        this.teleport = graph.teleport();
        List<Edge> incoming = decomposition.incoming(id);
        long[] pages = decomposition.parts().get(id).core().indices(decomposition.unknowns());
        this.core = pages.length;
        int[] slotOf = new int[graph.pages()];
        this.haloStart = new int[incoming.size() + 1];
        int count = 0;
        for (long page : pages) {
            slotOf[(int) page] = count++;
        }
        haloStart[0] = count;
        for (int k = 0; k < incoming.size(); k++) {
            for (long page : incoming.get(k).values().indices(decomposition.unknowns())) {
                slotOf[(int) page] = count++;
            }
            haloStart[k + 1] = count;
        }
        this.share = shares(pages, incoming, decomposition, count);
        SparseMatrix links = graph.incoming();
        this.rowStart = new int[core + 1];
        for (int i = 0; i < core; i++) {
            int page = (int) pages[i];
            rowStart[i + 1] = rowStart[i] + links.rowStart()[page + 1] - links.rowStart()[page];
        }
        this.slots = new int[rowStart[core]];
        this.weights = new double[graph.weighted() ? slots.length : 0];
        for (int i = 0; i < core; i++) {
            int from = links.rowStart()[(int) pages[i]];
            for (int k = rowStart[i]; k < rowStart[i + 1]; k++) {
                int entry = from + k - rowStart[i];
                slots[k] = slotOf[links.columns()[entry]];
                if (graph.weighted()) {
                    weights[k] = links.values()[entry];
                }
            }
        }
    }

    private double[] shares(long[] pages, List<Edge> incoming, Decomposition decomposition, int count) {
        double[] shares = new double[count];
        int slot = 0;
        for (long page : pages) {
            shares[slot++] = graph.share((int) page);
        }
        for (Edge edge : incoming) {
            for (long page : edge.values().indices(decomposition.unknowns())) {
                shares[slot++] = graph.share((int) page);
            }
        }
        return shares;
    }

    /** Number of the block's own pages. */
    int core() {
        return core;
    }

    /** Number of own pages and halo slots. */
    int slots() {
        return haloStart[haloStart.length - 1];
    }

    /** Sets the flows of the own pages. */
    void takeCore(double[] ranks, double[] flow) {
        for (int i = 0; i < core; i++) {
            flow[i] = share[i] * ranks[i];
        }
    }

    /** Sets the flows of the halo slots. */
    void takeHalos(Halos halos, double[] flow) {
        for (int k = 0; k + 1 < haloStart.length; k++) {
            double[] ranks = halos.values(k);
            int start = haloStart[k];
            int count = haloStart[k + 1] - start;
            for (int i = 0; i < count; i++) {
                flow[start + i] = share[start + i] * ranks[i];
            }
        }
    }

    /**
     * One sweep in place, each page with the newest flows.
     *
     * @param ranks of the own pages, replaced
     * @param flow of all slots; those of the own pages are replaced
     * @return the sum of the changes of all own ranks
     */
    double sweep(double[] ranks, double[] flow) {
        double changes = 0;
        int end = 0;
        for (int i = 0; i < core; i++) {
            int start = end;
            end = rowStart[i + 1];
            double rank = teleport + sum(start, end, flow);
            changes += Math.abs(rank - ranks[i]);
            ranks[i] = rank;
            flow[i] = share[i] * rank;
        }
        return changes;
    }

    private double sum(int start, int end, double[] flow) {
        double sum = 0;
        if (weights.length > 0) {
            for (int k = start; k < end; k++) {
                sum += weights[k] * flow[slots[k]];
            }
        } else {
            for (int k = start; k < end; k++) {
                sum += flow[slots[k]];
            }
        }
        return sum;
    }

    /**
     * The residual with a rigorous bound of its rounding error (docs/explanation/certification.md, "rounding bound"): that of
     * each row, and that of adding up the rows of all blocks in any order.
     *
     * @param ranks of the own pages
     * @param flow of all slots, from the same vector
     */
    Residual certify(double[] ranks, double[] flow) {
        double norm = 0;
        double squares = 0;
        double roundoff = 0;
        for (int i = 0; i < core; i++) {
            double sum = 0;
            double magnitude = teleport + Math.abs(ranks[i]);
            for (int k = rowStart[i]; k < rowStart[i + 1]; k++) {
                double term = weights.length > 0 ? weights[k] * flow[slots[k]] : flow[slots[k]];
                sum += term;
                magnitude += Math.abs(term);
            }
            double residual = teleport + sum - ranks[i];
            norm += Math.abs(residual);
            squares += residual * residual;
            double gamma = Residual.gamma(graph.roundings(rowStart[i + 1] - rowStart[i]));
            roundoff += gamma * magnitude * (1 + 2 * gamma);
        }
        double adding = Residual.gamma(graph.pages() + 1);
        return new Residual(
                norm, squares, roundoff * (1 + 2 * adding) + adding * norm * (1 + 2 * adding), ResidualNorm.SUM);
    }
}
