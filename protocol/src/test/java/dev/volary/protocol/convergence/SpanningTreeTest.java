// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.convergence;

import static dev.volary.protocol.Samples.chain;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.volary.protocol.model.JobGraph;
import java.util.List;
import org.junit.jupiter.api.Test;

class SpanningTreeTest {
    private static JobGraph.BlockShape block(List<Integer> sources, List<Integer> readers) {
        return new JobGraph.BlockShape(sources, readers, 10, 1);
    }

    @Test
    void theTreeOfAChainIsTheChain() {
        assertEquals(List.of(List.of(1), List.of(0, 2), List.of(1)), SpanningTree.of(chain(3)));
    }

    @Test
    void aCycleLosesOneEdge() {
        List<List<Integer>> others = List.of(List.of(1, 2), List.of(0, 2), List.of(0, 1));
        JobGraph triangle = new JobGraph(
                others.stream().map(neighbors -> block(neighbors, neighbors)).toList());
        assertEquals(List.of(List.of(1, 2), List.of(0), List.of(0)), SpanningTree.of(triangle));
    }

    @Test
    void anEdgeInOneDirectionConnectsBothBlocks() {
        JobGraph oneWay = new JobGraph(List.of(block(List.of(), List.of(1)), block(List.of(0), List.of())));
        assertEquals(List.of(List.of(1), List.of(0)), SpanningTree.of(oneWay));
    }

    @Test
    void aProblemInTwoPartsGivesAForest() {
        JobGraph parts = new JobGraph(List.of(
                block(List.of(1), List.of(1)),
                block(List.of(0), List.of(0)),
                block(List.of(3), List.of(3)),
                block(List.of(2), List.of(2))));
        assertEquals(List.of(List.of(1), List.of(0), List.of(3), List.of(2)), SpanningTree.of(parts));
    }
}
