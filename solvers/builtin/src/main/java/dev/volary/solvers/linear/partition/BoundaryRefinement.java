// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.linear.partition;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Shortens the boundary between two regions by moving vertices across it, one at a time, the most profitable first, and
 * keeping the best state seen (Fiduccia and Mattheyses 1982, restricted to the boundary).
 */
public final class BoundaryRefinement {
    private static final int PASSES = 10;

    private final Graph graph;
    private final int[] region;

    /** Gain of moving a vertex: edges cut now minus edges cut afterwards. Valid while the vertex is queued. */
    private final int[] gain;

    private final int[] next;
    private final int[] previous;
    private final boolean[] locked;
    private final boolean[] queued;
    private int[] moves = new int[1024];
    private int[] touched = new int[1024];

    BoundaryRefinement(Graph graph, int[] region) {
        this.graph = graph;
        this.region = region;
        int n = graph.size();
        this.gain = new int[n];
        this.next = new int[n];
        this.previous = new int[n];
        this.locked = new boolean[n];
        this.queued = new boolean[n];
    }

    /** One side of the cut: what it weighs now, what it may weigh, how many vertices it has and must keep. */
    static final class Side {
        final int region;
        final long heaviest;
        final int fewest;
        long weight;
        int vertices;
        private int[] heads = new int[0];
        private int top = -1;

        Side(int region, long heaviest, int fewest) {
            this.region = region;
            this.heaviest = heaviest;
            this.fewest = fewest;
        }
    }

    /**
     * Refines the cut between two sides in place.
     *
     * @param vertices the vertices of both sides stand from {@code from} to {@code to}
     */
    void refine(int[] vertices, int from, int to, Side left, Side right) {
        int largestDegree = 0;
        for (int i = from; i < to; i++) {
            largestDegree = Math.max(largestDegree, graph.degree(vertices[i]));
        }
        for (Side side : new Side[] {left, right}) {
            side.heads = new int[2 * largestDegree + 1];
        }
        for (int pass = 0; pass < PASSES; pass++) {
            if (!improve(vertices, from, to, left, right, largestDegree)) {
                return;
            }
        }
    }

    private boolean improve(int[] vertices, int from, int to, Side left, Side right, int offset) {
        int touchedCount = 0;
        int boundary = 0;
        for (Side side : new Side[] {left, right}) {
            Arrays.fill(side.heads, -1);
            side.top = -1;
        }
        for (int i = from; i < to; i++) {
            int vertex = vertices[i];
            if (isOnBoundary(vertex, left.region, right.region)) {
                boolean isLeft = region[vertex] == left.region;
                gain[vertex] = gainOf(vertex, isLeft ? right.region : left.region);
                enqueue(vertex, isLeft ? left : right, offset);
                touchedCount = remember(vertex, touchedCount);
                boundary++;
            }
        }
        int patience = 100 + boundary / 2;
        int moved = 0;
        int bestMoved = 0;
        int cutChange = 0;
        int bestChange = 0;
        long bestExcess = excess(left, right);
        while (moved - bestMoved < patience) {
            Side source = chooseSource(left, right);
            if (source == null) {
                break;
            }
            Side target = source == left ? right : left;
            int vertex = source.heads[source.top];
            dequeue(vertex, source, offset);
            locked[vertex] = true;
            cutChange -= gain[vertex];
            transfer(vertex, source, target);
            if (moved == moves.length) {
                moves = Arrays.copyOf(moves, 2 * moved);
            }
            moves[moved++] = vertex;
            for (int e = graph.start()[vertex]; e < graph.start()[vertex + 1]; e++) {
                int other = graph.neighbors()[e];
                if (locked[other] || (region[other] != left.region && region[other] != right.region)) {
                    continue;
                }
                Side side = region[other] == left.region ? left : right;
                if (queued[other]) {
                    dequeue(other, side, offset);
                    gain[other] += side == source ? 2 : -2;
                } else {
                    touchedCount = remember(other, touchedCount);
                    gain[other] = gainOf(other, side == left ? right.region : left.region);
                }
                enqueue(other, side, offset);
            }
            long excess = excess(left, right);
            if (cutChange < bestChange || (cutChange == bestChange && excess < bestExcess)) {
                bestChange = cutChange;
                bestExcess = excess;
                bestMoved = moved;
            }
        }
        for (int i = moved - 1; i >= bestMoved; i--) {
            boolean isLeft = region[moves[i]] == left.region;
            transfer(moves[i], isLeft ? left : right, isLeft ? right : left);
        }
        for (int i = 0; i < touchedCount; i++) {
            locked[touched[i]] = false;
            queued[touched[i]] = false;
        }
        return bestChange < 0;
    }

    /** How far the sides are from sharing the work as they should. */
    private static long excess(Side left, Side right) {
        return Math.max(left.weight - left.heaviest, right.weight - right.heaviest);
    }

    /** The side whose best vertex gains most and may leave; of two equal ones the fuller. */
    private @Nullable Side chooseSource(Side left, Side right) {
        boolean leftMay = mayGive(left, right);
        boolean rightMay = mayGive(right, left);
        if (leftMay && rightMay) {
            if (left.top != right.top) {
                return left.top > right.top ? left : right;
            }
            return left.weight - left.heaviest >= right.weight - right.heaviest ? left : right;
        }
        if (leftMay) {
            return left;
        }
        return rightMay ? right : null;
    }

    private boolean mayGive(Side source, Side target) {
        while (source.top >= 0 && source.heads[source.top] < 0) {
            source.top--;
        }
        if (source.top < 0 || source.vertices <= source.fewest) {
            return false;
        }
        int weight = graph.weight()[source.heads[source.top]];
        return target.weight + weight <= target.heaviest;
    }

    private void transfer(int vertex, Side source, Side target) {
        region[vertex] = target.region;
        source.weight -= graph.weight()[vertex];
        target.weight += graph.weight()[vertex];
        source.vertices--;
        target.vertices++;
    }

    private boolean isOnBoundary(int vertex, int left, int right) {
        int other = region[vertex] == left ? right : left;
        for (int e = graph.start()[vertex]; e < graph.start()[vertex + 1]; e++) {
            if (region[graph.neighbors()[e]] == other) {
                return true;
            }
        }
        return false;
    }

    private int gainOf(int vertex, int other) {
        int home = region[vertex];
        int value = 0;
        for (int e = graph.start()[vertex]; e < graph.start()[vertex + 1]; e++) {
            int there = region[graph.neighbors()[e]];
            value += there == other ? 1 : 0;
            value -= there == home ? 1 : 0;
        }
        return value;
    }

    private void enqueue(int vertex, Side side, int offset) {
        int bucket = gain[vertex] + offset;
        int head = side.heads[bucket];
        next[vertex] = head;
        previous[vertex] = -1;
        if (head >= 0) {
            previous[head] = vertex;
        }
        side.heads[bucket] = vertex;
        side.top = Math.max(side.top, bucket);
        queued[vertex] = true;
    }

    private void dequeue(int vertex, Side side, int offset) {
        int before = previous[vertex];
        int after = next[vertex];
        if (before >= 0) {
            next[before] = after;
        } else {
            side.heads[gain[vertex] + offset] = after;
        }
        if (after >= 0) {
            previous[after] = before;
        }
        queued[vertex] = false;
    }

    private int remember(int vertex, int count) {
        if (count == touched.length) {
            touched = Arrays.copyOf(touched, 2 * count);
        }
        touched[count] = vertex;
        return count + 1;
    }
}
