// SPDX-License-Identifier: Apache-2.0
package dev.volary.solver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class GraphDecompositionTest {
    // Rows 0: {0, 1}, 1: {1, 3}, 2: {2}, 3: {3, 0}
    private static final int[] ROW_START = {0, 2, 4, 5, 7};
    private static final int[] COLUMNS = {0, 1, 1, 3, 2, 3, 0};

    @Test
    void coresAreAscendingAndEdgesCarryExactlyWhatIsRead() {
        Decomposition d = GraphDecomposition.of(
                ROW_START, COLUMNS, new int[] {1, 0, 0, 1}, 2, (r, e, h) -> r + 10 * e + 100L * h);
        assertEquals(
                List.of(
                        new Subdomain(0, IndexList.of(1, 2), 2 + 10 * 3 + 100, 3),
                        new Subdomain(1, IndexList.of(0, 3), 2 + 10 * 4 + 100, 4)),
                d.parts());
        assertEquals(List.of(new Edge(1, 0, IndexList.of(3)), new Edge(0, 1, IndexList.of(1))), d.edges());
    }

    @Test
    void aBlockWithoutRowsIsRefused() {
        assertThrows(
                IllegalArgumentException.class,
                () -> GraphDecomposition.of(ROW_START, COLUMNS, new int[] {0, 0, 0, 0}, 2, (r, e, h) -> 0));
    }

    @Test
    void anOwnerOutOfRangeIsRefused() {
        assertThrows(
                IllegalArgumentException.class,
                () -> GraphDecomposition.of(ROW_START, COLUMNS, new int[] {0, 1, 2, 0}, 2, (r, e, h) -> 0));
    }

    @Property(tries = 200, seed = "20261121")
    void edgesMatchAPlainSearchOfThePattern(
            @ForAll @IntRange(min = 1, max = 40) int n,
            @ForAll @IntRange(min = 1, max = 8) int wanted,
            @ForAll long seed) {
        Random random = new Random(seed);
        int blocks = Math.min(n, wanted);
        int[] owner = new int[n];
        for (int i = 0; i < n; i++) {
            owner[i] = i < blocks ? i : random.nextInt(blocks);
        }
        int[] rowStart = new int[n + 1];
        for (int i = 0; i < n; i++) {
            rowStart[i + 1] = rowStart[i] + random.nextInt(5);
        }
        int[] columns = random.ints(rowStart[n], 0, n).toArray();
        Decomposition d = GraphDecomposition.of(rowStart, columns, owner, blocks, (r, e, h) -> 0);
        int found = 0;
        for (int to = 0; to < blocks; to++) {
            for (int from = 0; from < blocks; from++) {
                TreeSet<Integer> read = new TreeSet<>();
                for (int row = 0; row < n; row++) {
                    for (int k = rowStart[row]; k < rowStart[row + 1]; k++) {
                        if (owner[row] == to && owner[columns[k]] == from && from != to) {
                            read.add(columns[k]);
                        }
                    }
                }
                int reader = to;
                int source = from;
                List<Edge> edges = d.edges().stream()
                        .filter(edge -> edge.to() == reader && edge.from() == source)
                        .toList();
                assertEquals(read.isEmpty() ? 0 : 1, edges.size());
                if (!read.isEmpty()) {
                    found++;
                    int[] expected = read.stream().mapToInt(Integer::intValue).toArray();
                    assertEquals(IndexList.of(expected), edges.getFirst().values());
                }
            }
        }
        assertEquals(found, d.edges().size());
    }
}
