// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.linear.partition;

/**
 * Cuts a graph into parts of about equal work with few edges between them, by recursive {@link Bisection}. Deterministic;
 * handles disconnected graphs and isolated vertices; no part is ever empty.
 */
public final class GraphPartition {
    /** Allowed excess of a part's work over its fair share, for the whole recursion. */
    private static final double IMBALANCE = 0.03;

    private final Bisection bisection;
    private final double imbalancePerLevel;

    private GraphPartition(Graph graph, int parts) {
        this.bisection = new Bisection(graph);
        int levels = 32 - Integer.numberOfLeadingZeros(parts - 1);
        this.imbalancePerLevel = IMBALANCE / levels;
    }

    /**
     * The part of each vertex.
     *
     * @param parts number of parts, from 1 to the number of vertices
     */
    public static int[] of(Graph graph, int parts) {
        int n = graph.size();
        if (parts < 1 || parts > n) {
            throw new IllegalArgumentException(parts + " parts of " + n + " vertices");
        }
        if (parts == 1) {
            return new int[n];
        }
        int[] order = BreadthFirst.order(graph);
        GraphPartition partition = new GraphPartition(graph.renumbered(order), parts);
        partition.cut(0, n, 0, parts);
        int[] owner = new int[n];
        for (int k = 0; k < n; k++) {
            owner[order[k]] = partition.bisection.region()[k];
        }
        return owner;
    }

    /** Cuts the region {@code first} into {@code parts} regions, numbered from {@code first}. */
    private void cut(int from, int to, int first, int parts) {
        if (parts == 1) {
            return;
        }
        int leftParts = parts / 2;
        int rightParts = parts - leftParts;
        int middle = bisection.cut(
                from,
                to,
                new Bisection.Half(first, (double) leftParts / parts, leftParts),
                new Bisection.Half(first + leftParts, (double) rightParts / parts, rightParts),
                imbalancePerLevel);
        cut(from, middle, first, leftParts);
        cut(middle, to, first + leftParts, rightParts);
    }
}
