// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.linear.partition;

import java.util.Arrays;

/**
 * An elimination order with little fill (George 1973): both halves of a cut first, the vertices that separate them last.
 * The library that factorizes has no fill-reducing order of its own.
 */
public final class NestedDissection {
    /** Regions of at most this many vertices are not cut further. */
    private static final int LEAF = 48;

    private static final double IMBALANCE = 0.1;
    private static final int SEPARATOR = -1;

    private final Graph graph;
    private final Bisection bisection;
    private final int[] order;
    private int nextRegion = 1;

    private NestedDissection(Graph graph) {
        this.graph = graph;
        this.bisection = new Bisection(graph);
        this.order = new int[graph.size()];
    }

    /** The vertices in the order in which to eliminate them. */
    public static int[] order(Graph graph) {
        int n = graph.size();
        int[] unitWeight = new int[n];
        Arrays.fill(unitWeight, 1);
        int[] near = BreadthFirst.order(graph);
        Graph renumbered = new Graph(graph.start(), graph.neighbors(), unitWeight).renumbered(near);
        NestedDissection dissection = new NestedDissection(renumbered);
        dissection.eliminate(0, n, n);
        int[] order = new int[n];
        for (int k = 0; k < n; k++) {
            order[k] = near[dissection.order[k]];
        }
        return order;
    }

    /** Orders the region whose vertices stand from {@code from} to {@code to} as the last ones before {@code end}. */
    private void eliminate(int from, int to, int end) {
        if (to - from <= LEAF) {
            bisection.sort(from, to);
            for (int i = from; i < to; i++) {
                // Reversed breadth-first order has less fill (Cuthill and McKee; George).
                order[end - 1 - (i - from)] = bisection.vertices()[i];
            }
            return;
        }
        int left = nextRegion++;
        int right = nextRegion++;
        int middle =
                bisection.cut(from, to, new Bisection.Half(left, 0.5, 1), new Bisection.Half(right, 0.5, 1), IMBALANCE);
        int leftBoundary = boundary(from, middle, right);
        int rightBoundary = boundary(middle, to, left);
        if (leftBoundary <= rightBoundary) {
            int inner = separate(from, middle, right, end);
            eliminate(middle, to, end - (middle - inner));
            eliminate(from, inner, end - (middle - inner) - (to - middle));
        } else {
            int inner = separate(middle, to, left, end);
            eliminate(middle, inner, end - (to - inner));
            eliminate(from, middle, end - (to - inner) - (inner - middle));
        }
    }

    private int boundary(int from, int to, int other) {
        int count = 0;
        for (int i = from; i < to; i++) {
            count += touches(bisection.vertices()[i], other) ? 1 : 0;
        }
        return count;
    }

    private boolean touches(int vertex, int other) {
        for (int e = graph.start()[vertex]; e < graph.start()[vertex + 1]; e++) {
            if (bisection.region()[graph.neighbors()[e]] == other) {
                return true;
            }
        }
        return false;
    }

    /** Orders the vertices that touch {@code other} last and moves them behind the rest; returns where they start. */
    private int separate(int from, int to, int other, int end) {
        int[] vertices = bisection.vertices();
        int inner = from;
        int last = end;
        for (int i = from; i < to; i++) {
            int vertex = vertices[i];
            if (touches(vertex, other)) {
                bisection.region()[vertex] = SEPARATOR;
                order[--last] = vertex;
            } else {
                vertices[inner++] = vertex;
            }
        }
        // What stands behind `inner` is not looked at again: the separator is already ordered.
        return inner;
    }
}
