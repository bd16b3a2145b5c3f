// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.linear.partition;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.solvers.linear.Matrices;
import dev.volary.solvers.linear.matrix.SparseMatrix;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GraphPartitionTest {

    @ParameterizedTest
    @ValueSource(ints = {2, 4, 7, 16})
    void aShuffledGridIsCutManyTimesShorterThanByRowNumber(int parts) {
        int n = 60;
        Graph graph = Graph.of(Matrices.poisson(n, Matrices.shuffled(n * n, 11)));
        int byGraph = cutEdges(graph, GraphPartition.of(graph, parts));
        int byRowNumber = cutEdges(
                graph,
                IntStream.range(0, n * n).map(row -> row * parts / graph.size()).toArray());
        assertTrue(8 * byGraph < byRowNumber, () -> byGraph + " edges cut, by row number " + byRowNumber);
        // A cut into strips needs (parts − 1) n edges; near-square pieces need fewer.
        assertTrue(byGraph <= 1.6 * (parts - 1) * n, () -> byGraph + " edges cut");
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 8, 13})
    void workIsBalancedWithinAFewPercent(int parts) throws Exception {
        for (Graph graph : List.of(
                Graph.of(Matrices.poisson(50, Matrices.shuffled(2500, 3))),
                Graph.of(Matrices.dominant(4000, 8, 0.9, new Random(5))))) {
            long[] work = new long[parts];
            int[] owner = GraphPartition.of(graph, parts);
            for (int v = 0; v < graph.size(); v++) {
                work[owner[v]] += graph.weight()[v];
            }
            double fair = (double) Arrays.stream(work).sum() / parts;
            for (long w : work) {
                assertTrue(Math.abs(w - fair) <= 0.05 * fair, () -> Arrays.toString(work) + " for " + fair);
            }
        }
    }

    @Test
    void theSameGraphIsAlwaysCutTheSameWay() {
        Graph graph = Graph.of(Matrices.dominant(1000, 5, 0.9, new Random(1)));
        assertArrayEquals(GraphPartition.of(graph, 6), GraphPartition.of(graph, 6));
    }

    @Test
    void aHubWithManyNeighborsDoesNotEmptyTheOtherParts() {
        Map<Integer, Double> hub = new HashMap<>();
        List<Map<Integer, Double>> rows = new java.util.ArrayList<>(List.of(hub));
        for (int leaf = 1; leaf < 200; leaf++) {
            hub.put(leaf, 1.0);
            rows.add(Map.of(leaf, 1.0));
        }
        hub.put(0, 1.0);
        int[] owner = GraphPartition.of(Graph.of(Matrices.of(rows)), 9);
        assertEquals(9, Arrays.stream(owner).distinct().count());
    }

    @Property(tries = 200, seed = "20261121")
    void everyVertexHasAPartAndNoPartIsEmpty(
            @ForAll @IntRange(min = 1, max = 120) int n,
            @ForAll @IntRange(min = 0, max = 5) int perRow,
            @ForAll @IntRange(min = 1, max = 120) int wanted,
            @ForAll long seed) {
        int parts = Math.min(wanted, n);
        // Few entries in a row leave isolated vertices and many components.
        Graph graph = Graph.of(Matrices.dominant(n, perRow, 0.9, new Random(seed)));
        int[] owner = GraphPartition.of(graph, parts);
        assertEquals(n, owner.length);
        int[] found = Arrays.stream(owner).distinct().sorted().toArray();
        assertArrayEquals(IntStream.range(0, parts).toArray(), found);
    }

    @Property(tries = 100, seed = "20261121")
    void dissectionOrdersEveryVertexOnce(
            @ForAll @IntRange(min = 1, max = 400) int n,
            @ForAll @IntRange(min = 0, max = 5) int perRow,
            @ForAll long seed) {
        int[] order = NestedDissection.order(Graph.of(Matrices.dominant(n, perRow, 0.9, new Random(seed))));
        assertArrayEquals(
                IntStream.range(0, n).toArray(), Arrays.stream(order).sorted().toArray());
    }

    @Property(tries = 100, seed = "20261121")
    void theGraphIsTheSymmetrisedPatternWithoutLoops(@ForAll @IntRange(min = 1, max = 40) int n, @ForAll long seed) {
        SparseMatrix matrix = Matrices.dominant(n, 4, 0.9, new Random(seed));
        boolean[][] linked = new boolean[n][n];
        for (int i = 0; i < n; i++) {
            for (int k = matrix.rowStart()[i]; k < matrix.rowStart()[i + 1]; k++) {
                linked[i][matrix.columns()[k]] = true;
                linked[matrix.columns()[k]][i] = true;
            }
            linked[i][i] = false;
        }
        Graph graph = Graph.of(matrix);
        for (int i = 0; i < n; i++) {
            int row = i;
            assertArrayEquals(
                    IntStream.range(0, n).filter(j -> linked[row][j]).toArray(),
                    Arrays.copyOfRange(graph.neighbors(), graph.start()[i], graph.start()[i + 1]));
        }
    }

    private static int cutEdges(Graph graph, int[] owner) {
        int cut = 0;
        for (int v = 0; v < graph.size(); v++) {
            for (int e = graph.start()[v]; e < graph.start()[v + 1]; e++) {
                cut += owner[v] < owner[graph.neighbors()[e]] ? 1 : 0;
            }
        }
        return cut;
    }
}
