// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.convergence;

import dev.volary.protocol.model.JobGraph;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A tree of blocks along the edges of the problem, the same at all workers: each block that is reached first from another one
 * hangs below it. Its edges are between blocks, not between processes, so no replacement changes it.
 */
public final class SpanningTree {
    private SpanningTree() {}

    /** For each block its neighbors in the tree; a forest if the problem falls apart. */
    static List<List<Integer>> of(JobGraph graph) {
        int blocks = graph.blocks().size();
        List<List<Integer>> tree = new ArrayList<>();
        IntStream.range(0, blocks).forEach(block -> tree.add(new ArrayList<>()));
        boolean[] reached = new boolean[blocks];
        for (int root = 0; root < blocks; root++) {
            ArrayDeque<Integer> queue = new ArrayDeque<>();
            if (!reached[root]) {
                reached[root] = true;
                queue.add(root);
            }
            while (!queue.isEmpty()) {
                int block = queue.removeFirst();
                for (int partner : graph.partners(block)) {
                    if (!reached[partner]) {
                        reached[partner] = true;
                        tree.get(block).add(partner);
                        tree.get(partner).add(block);
                        queue.add(partner);
                    }
                }
            }
        }
        return tree;
    }
}
