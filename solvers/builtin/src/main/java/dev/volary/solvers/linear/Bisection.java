package dev.volary.solvers.linear;

import java.util.Arrays;

/**
 * Cuts regions of a graph in two: level sets from a pseudo-peripheral vertex, then {@link BoundaryRefinement}. The vertices
 * of a region stand side by side in {@link #vertices}.
 */
final class Bisection {
    private final Graph graph;
    private final int[] region;
    private final int[] vertices;
    private final int[] scratch;
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
        breadthFirst.order(vertices, from, to, scratch);
        long total = 0;
        for (int i = from; i < to; i++) {
            total += graph.weight()[scratch[i]];
        }
        BoundaryRefinement.Side leftSide = side(left, total, imbalance);
        BoundaryRefinement.Side rightSide = side(right, total, imbalance);
        split(from, to, total * left.share(), leftSide, rightSide);
        refinement.refine(scratch, from, to, leftSide, rightSide);
        return gather(from, to, left.region());
    }

    private static BoundaryRefinement.Side side(Half half, long total, double imbalance) {
        long heaviest = (long) Math.ceil(total * half.share() * (1 + imbalance));
        return new BoundaryRefinement.Side(half.region(), heaviest, half.fewest());
    }

    /** Gives the first level sets to the left side until it has its share of the work. */
    private void split(int from, int to, double target, BoundaryRefinement.Side left, BoundaryRefinement.Side right) {
        for (int i = from; i < to; i++) {
            int vertex = scratch[i];
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
