// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.pagerank;

import dev.volary.solver.Decomposition;
import dev.volary.solver.Edge;
import dev.volary.solver.Halos;
import dev.volary.solver.Residual;
import dev.volary.solver.ResidualNorm;
import dev.volary.solvers.linear.matrix.SparseMatrix;
import java.util.Arrays;
import java.util.List;

/**
 * The equations of one block. A slot is a page that the block owns or reads. The first are its own: those with outgoing links by
 * the number of links to them, then those without. The processor predicts loops of equal length in turn, and young pages, to which
 * few link, mostly come before those that they link to. The other slots are the values of the incoming edges, one edge after
 * another.
 *
 * <p>A page's <em>flow</em> is its rank times its share: what it passes on over a link of weight 1. A row adds flows, so that one
 * array is read for each link. Pages without outgoing links pass nothing on: their ranks are computed only when they are asked for.
 * Immutable.
 */
final class RankRows {
    private final LinkGraph graph;
    private final int core;
    /** Of each own slot, where its page is in the core. */
    private final int[] places;
    /** Own slots with outgoing links. */
    private final int passing;

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
        this.places = places(graph, pages);
        int[] own = Arrays.stream(places).map(place -> (int) pages[place]).toArray();
        int[] slotOf = new int[graph.pages()];
        this.haloStart = new int[incoming.size() + 1];
        int count = 0;
        for (int page : own) {
            slotOf[page] = count++;
        }
        haloStart[0] = count;
        for (int k = 0; k < incoming.size(); k++) {
            for (long page : incoming.get(k).values().indices(decomposition.unknowns())) {
                slotOf[(int) page] = count++;
            }
            haloStart[k + 1] = count;
        }
        this.share = shares(own, incoming, decomposition, count);
        SparseMatrix links = graph.incoming();
        this.rowStart = new int[core + 1];
        int withLinks = 0;
        for (int i = 0; i < core; i++) {
            rowStart[i + 1] = rowStart[i] + links.rowStart()[own[i] + 1] - links.rowStart()[own[i]];
            withLinks += share[i] > 0 ? 1 : 0;
        }
        this.passing = withLinks;
        this.slots = new int[rowStart[core]];
        this.weights = new double[graph.weighted() ? slots.length : 0];
        for (int i = 0; i < core; i++) {
            int from = links.rowStart()[own[i]];
            for (int k = rowStart[i]; k < rowStart[i + 1]; k++) {
                int entry = from + k - rowStart[i];
                slots[k] = slotOf[links.columns()[entry]];
                if (graph.weighted()) {
                    weights[k] = links.values()[entry];
                }
            }
        }
    }

    /** The order of a block's pages: those with outgoing links first, each kind by the number of links to it. */
    private static int[] places(LinkGraph graph, long[] pages) {
        int[] rowStart = graph.incoming().rowStart();
        long[] order = new long[pages.length];
        for (int i = 0; i < pages.length; i++) {
            int page = (int) pages[i];
            long links = (long) rowStart[page + 1] - rowStart[page];
            long kind = graph.share(page) > 0 ? 0 : 1;
            order[i] = kind << 62 | links << 31 | i;
        }
        Arrays.sort(order);
        return Arrays.stream(order)
                .mapToInt(key -> (int) (key & Integer.MAX_VALUE))
                .toArray();
    }

    private double[] shares(int[] own, List<Edge> incoming, Decomposition decomposition, int count) {
        double[] shares = new double[count];
        int slot = 0;
        for (int page : own) {
            shares[slot++] = graph.share(page);
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

    /** Of each place in the core, its slot. */
    int[] slotOfPlaces() {
        int[] slotOf = new int[core];
        for (int i = 0; i < core; i++) {
            slotOf[places[i]] = i;
        }
        return slotOf;
    }

    /**
     * Takes the values of a core.
     *
     * @param ranks of the own slots, replaced
     * @param flow of all slots; those of the own ones are replaced
     */
    void takeCore(double[] values, double[] ranks, double[] flow) {
        for (int i = 0; i < core; i++) {
            ranks[i] = values[places[i]];
            flow[i] = share[i] * ranks[i];
        }
    }

    /**
     * Writes the values of a core.
     *
     * @param isSwept whether the ranks of pages without outgoing links are older than the flows
     */
    void writeCore(double[] ranks, double[] flow, boolean isSwept, double[] values) {
        int known = isSwept ? passing : core;
        for (int i = 0; i < known; i++) {
            values[places[i]] = ranks[i];
        }
        for (int i = known; i < core; i++) {
            values[places[i]] = teleport + sum(rowStart[i], rowStart[i + 1], flow);
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
     * One sweep in place over the pages with outgoing links, each with the newest flows.
     *
     * @param ranks of the own slots; those with outgoing links are replaced
     * @param flow of all slots; those of the own ones are replaced
     * @return the sum of the changes of these ranks
     */
    double sweep(double[] ranks, double[] flow) {
        double changes = 0;
        int end = 0;
        for (int i = 0; i < passing; i++) {
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
     * @param ranks of the own slots
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
