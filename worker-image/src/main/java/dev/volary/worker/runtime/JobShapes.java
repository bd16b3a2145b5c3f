// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.runtime;

import dev.volary.protocol.model.JobGraph;
import dev.volary.protocol.model.JobGraph.BlockShape;
import dev.volary.solver.Decomposition;
import dev.volary.solver.Edge;
import dev.volary.solver.Subdomain;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** What the protocols need to know of a solver's decomposition. */
public final class JobShapes {
    private JobShapes() {}

    public static JobGraph of(Decomposition decomposition, int steps) {
        List<List<Integer>> sources = emptyLists(decomposition.blocks());
        List<List<Integer>> readers = emptyLists(decomposition.blocks());
        for (Edge edge : decomposition.edges()) {
            sources.get(edge.to()).add(edge.from());
            readers.get(edge.from()).add(edge.to());
        }
        List<BlockShape> blocks = new ArrayList<>();
        for (Subdomain part : decomposition.parts()) {
            blocks.add(new BlockShape(
                    sources.get(part.id()).stream().sorted().toList(),
                    readers.get(part.id()).stream().sorted().toList(),
                    part.bytes(),
                    part.work()));
        }
        return new JobGraph(blocks, steps);
    }

    private static List<List<Integer>> emptyLists(int count) {
        return Stream.generate(() -> (List<Integer>) new ArrayList<Integer>())
                .limit(count)
                .toList();
    }
}
