// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.linear.partition;

import java.util.Arrays;

/**
 * Cuts regions of a graph in two. Two cuts are tried, refined by {@link BoundaryRefinement}, and the shorter is taken: one
 * along the level sets from a pseudo-peripheral vertex A, one along the levels of d(A, ·) − d(B, ·), B a vertex far from A
 * and from the vertex opposite to it. (On a square, A and B are neighboring corners: the first cut is a diagonal, the second
 * a straight line half as long.) The vertices of a region stand side by side in {@link #vertices}.
 */
public final class Bisection {
    private final Graph graph;
    private final int[] region;
    private final int[] vertices;
    private final int[] scratch;
    private final int[] swept;
    private final int[] fromA;
    private final int[] key;
    private final BreadthFirst breadthFirst;
    private final BoundaryRefinement refinement;

    /** Starts with all vertices in region 0. */
    Bisection(Graph graph) {
        int n = graph.size();
        this.graph = graph;
        this.region = new int[n];
        this.vertices = new int[n];
        Arrays.setAll(vertices, i -> i);
        this.scratch = new int[n];
        this.swept = new int[n];
        this.fromA = new int[n];
        this.key = new int[n];
        this.breadthFirst = new BreadthFirst(graph, region);
        this.refinement = new BoundaryRefinement(graph, region);
    }

    /** The region of each vertex. */
    int[] region() {
        return region;
    }

    /** All vertices, region by region. */
    int[] vertices() {
        return vertices;
    }

    /**
     * What one half of a cut is to be.
     *
     * @param region its number
     * @param share its fair share of the work, between 0 and 1
     * @param fewest the vertices it must have at least
     */
    record Half(int region, double share, int fewest) {}

    /** Puts a region's vertices in breadth-first order. */
    void sort(int from, int to) {
        breadthFirst.order(vertices, from, to, scratch);
        System.arraycopy(scratch, from, vertices, from, to - from);
    }

    /**
     * Cuts the region whose vertices stand from {@code from} to {@code to}; afterwards those of the left half stand first.
     *
     * @param imbalance what a half may weigh beyond its share, relative to it
     * @return where the right half starts
     */
    int cut(int from, int to, Half left, Half right, double imbalance) {
        boolean connected = breadthFirst.order(vertices, from, to, scratch);
        long total = 0;
        for (int i = from; i < to; i++) {
            total += graph.weight()[scratch[i]];
        }
        long levelCut = cutAlong(scratch, from, to, total, left, right, imbalance);
        if (connected && to - from > 4 && levelCut > 1) {
            boolean[] toLeft = new boolean[to - from];
            for (int i = from; i < to; i++) {
                toLeft[i - from] = region[scratch[i]] == left.region();
                // One region again, for the searches.
                region[scratch[i]] = left.region();
            }
            sweepBetweenCorners(from, to);
            long sweptCut = cutAlong(swept, from, to, total, left, right, imbalance);
            if (levelCut <= sweptCut) {
                for (int i = from; i < to; i++) {
                    region[scratch[i]] = toLeft[i - from] ? left.region() : right.region();
                }
            }
        }
        return gather(from, to, left.region());
    }

    /** Cuts a region along an order of its vertices, refines, and returns the number of edges cut. */
    private long cutAlong(int[] order, int from, int to, long total, Half left, Half right, double imbalance) {
        BoundaryRefinement.Side leftSide = side(left, total, imbalance);
        BoundaryRefinement.Side rightSide = side(right, total, imbalance);
        split(order, from, to, total * left.share(), leftSide, rightSide);
        refinement.refine(order, from, to, leftSide, rightSide);
        long cut = 0;
        for (int i = from; i < to; i++) {
            if (region[order[i]] == left.region()) {
                for (int e = graph.start()[order[i]]; e < graph.start()[order[i] + 1]; e++) {
                    cut += region[graph.neighbors()[e]] == right.region() ? 1 : 0;
                }
            }
        }
        return cut;
    }

    /** Orders a connected region by d(A, ·) − d(B, ·) into {@link #swept}; {@link #scratch} starts with A. */
    private void sweepBetweenCorners(int from, int to) {
        int a = scratch[from];
        int opposite = scratch[to - 1];
        breadthFirst.search(a, swept, from);
        for (int i = from; i < to; i++) {
            fromA[scratch[i]] = breadthFirst.level(scratch[i]);
        }
        breadthFirst.search(opposite, swept, from);
        int far = 0;
        int middle = a;
        for (int i = from; i < to; i++) {
            int vertex = scratch[i];
            key[vertex] = Math.min(fromA[vertex], breadthFirst.level(vertex));
            if (key[vertex] > far) {
                far = key[vertex];
                middle = vertex;
            }
        }
        // Many vertices may be equally far from both; the two ends of that set are its corners.
        breadthFirst.search(middle, swept, from);
        int b = middle;
        for (int i = from; i < to; i++) {
            int vertex = scratch[i];
            if (key[vertex] == far && breadthFirst.level(vertex) > breadthFirst.level(b)) {
                b = vertex;
            }
        }
        breadthFirst.search(b, swept, from);
        sortByDifference(from, to);
    }

    /** A counting sort that keeps the order of equals. */
    private void sortByDifference(int from, int to) {
        int least = Integer.MAX_VALUE;
        int most = Integer.MIN_VALUE;
        for (int i = from; i < to; i++) {
            int vertex = scratch[i];
            key[vertex] = fromA[vertex] - breadthFirst.level(vertex);
            least = Math.min(least, key[vertex]);
            most = Math.max(most, key[vertex]);
        }
        int[] next = new int[most - least + 2];
        for (int i = from; i < to; i++) {
            next[key[scratch[i]] - least + 1]++;
        }
        for (int k = 1; k < next.length; k++) {
            next[k] += next[k - 1];
        }
        for (int i = from; i < to; i++) {
            swept[from + next[key[scratch[i]] - least]++] = scratch[i];
        }
    }

    private static BoundaryRefinement.Side side(Half half, long total, double imbalance) {
        long heaviest = (long) Math.ceil(total * half.share() * (1 + imbalance));
        return new BoundaryRefinement.Side(half.region(), heaviest, half.fewest());
    }

    /** Gives the first vertices to the left side until it has its share of the work. */
    private void split(
            int[] order, int from, int to, double target, BoundaryRefinement.Side left, BoundaryRefinement.Side right) {
        for (int i = from; i < to; i++) {
            int vertex = order[i];
            int weight = graph.weight()[vertex];
            boolean toLeft = left.vertices < left.fewest
                    || (to - i > right.fewest && right.vertices == 0 && left.weight + 0.5 * weight <= target);
            BoundaryRefinement.Side side = toLeft ? left : right;
            region[vertex] = side.region;
            side.weight += weight;
            side.vertices++;
        }
    }

    /** Moves the left half's vertices to the front; both keep their order. */
    private int gather(int from, int to, int left) {
        int middle = from;
        for (int i = from; i < to; i++) {
            if (region[scratch[i]] == left) {
                vertices[middle++] = scratch[i];
            }
        }
        int next = middle;
        for (int i = from; i < to; i++) {
            if (region[scratch[i]] != left) {
                vertices[next++] = scratch[i];
            }
        }
        return middle;
    }
}
