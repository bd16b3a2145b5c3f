// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.linear.partition;

import java.util.Arrays;

/**
 * Orders the vertices of a region by breadth-first search from a pseudo-peripheral vertex (George and Liu), component after
 * component. A prefix of such an order is a set of level sets: compact, with a short boundary.
 */
public final class BreadthFirst {
    private static final int ATTEMPTS = 4;

    private final Graph graph;
    private final int[] region;
    private final int[] visited;
    private final int[] level;
    private int stamp;

    /** First position of the last level, and number of levels, of the latest search. */
    private int lastLevel;

    private int levels;

    /**
     * @param graph the graph
     * @param region the region each vertex belongs to; searches never leave the region they start in
     */
    BreadthFirst(Graph graph, int[] region) {
        this.graph = graph;
        this.region = region;
        this.visited = new int[graph.size()];
        this.level = new int[graph.size()];
    }

    /** All vertices of a graph in breadth-first order. */
    static int[] order(Graph graph) {
        int n = graph.size();
        int[] all = new int[n];
        Arrays.setAll(all, i -> i);
        int[] order = new int[n];
        new BreadthFirst(graph, new int[n]).order(all, 0, n, order);
        return order;
    }

    /** Distance of a vertex from the start of the latest search that reached it. */
    int level(int vertex) {
        return level[vertex];
    }

    /**
     * Orders a whole region. Returns whether it is connected.
     *
     * @param vertices the region's vertices stand from {@code from} to {@code to}; they do not change
     * @param order receives them in breadth-first order, from {@code from} to {@code to}
     */
    boolean order(int[] vertices, int from, int to, int[] order) {
        int componentsStamp = ++stamp;
        int filled = from;
        int components = 0;
        for (int i = from; i < to; i++) {
            // Searches for a good start use later stamps, so "done" is any stamp from this call on.
            if (visited[vertices[i]] < componentsStamp) {
                filled = orderComponent(vertices[i], order, filled);
                components++;
            }
        }
        return components == 1;
    }

    private int orderComponent(int start, int[] order, int from) {
        int end = search(start, order, from);
        for (int attempt = 1; attempt < ATTEMPTS && end - from > 2; attempt++) {
            int before = levels;
            end = search(leastDegree(order, lastLevel, end), order, from);
            if (levels <= before) {
                break;
            }
        }
        return end;
    }

    private int leastDegree(int[] order, int from, int to) {
        int best = order[from];
        for (int i = from + 1; i < to; i++) {
            if (graph.degree(order[i]) < graph.degree(best)) {
                best = order[i];
            }
        }
        return best;
    }

    /**
     * Searches the component of {@code start} within its region.
     *
     * @param order receives the vertices in breadth-first order, from {@code from} on
     * @return where they end
     */
    int search(int start, int[] order, int from) {
        stamp++;
        int[] rowStart = graph.start();
        int[] neighbors = graph.neighbors();
        int home = region[start];
        int end = from;
        order[end++] = start;
        visited[start] = stamp;
        level[start] = 0;
        levels = 0;
        lastLevel = from;
        int levelEnd = end;
        for (int head = from; head < end; head++) {
            if (head == levelEnd) {
                levels++;
                lastLevel = head;
                levelEnd = end;
            }
            int vertex = order[head];
            for (int e = rowStart[vertex]; e < rowStart[vertex + 1]; e++) {
                int other = neighbors[e];
                if (visited[other] != stamp && region[other] == home) {
                    visited[other] = stamp;
                    level[other] = level[vertex] + 1;
                    order[end++] = other;
                }
            }
        }
        return end;
    }
}
