// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.pagerank;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.solvers.linear.Matrices;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LinkPartitionTest {

    /** Every page links to page 0, so that its row alone is a third of the work. */
    @ParameterizedTest
    @ValueSource(ints = {2, 3, 8, 50, 199, 200})
    void noBlockIsEmptyAndNoneHasMoreThanItsShareUnlessByOnePage(int blocks) {
        int n = 200;
        List<Map<Integer, Double>> rows = new ArrayList<>();
        for (int page = 0; page < n; page++) {
            Map<Integer, Double> links = new HashMap<>();
            links.put(0, 1.0);
            links.put((page * 7 + 1) % n, 1.0);
            rows.add(links);
        }
        LinkGraph graph = LinkGraph.of(Matrices.of(rows), 0.85);
        int[] owner = LinkPartition.of(graph, blocks);
        long[] work = new long[blocks];
        int largestPage = 0;
        for (int page = 0; page < n; page++) {
            int cost =
                    2 + graph.incoming().rowStart()[page + 1] - graph.incoming().rowStart()[page];
            work[owner[page]] += cost;
            largestPage = Math.max(largestPage, cost);
        }
        double share = IntStream.range(0, blocks).mapToLong(b -> work[b]).sum() / (double) blocks;
        for (long w : work) {
            assertTrue(w > 0 && w <= 1.05 * share + largestPage, w + " of " + share);
        }
    }

    /** Two communities whose pages alternate: ranges cut all links, and the visits find the communities. */
    @Test
    void pagesThatLinkToEachOtherComeTogether() {
        int n = 400;
        List<Map<Integer, Double>> rows = new ArrayList<>();
        for (int page = 0; page < n; page++) {
            Map<Integer, Double> links = new HashMap<>();
            for (int step : new int[] {2, 4, 34}) {
                links.put((page + step) % n, 1.0);
            }
            rows.add(links);
        }
        LinkGraph graph = LinkGraph.of(Matrices.of(rows), 0.85);
        int[] owner = LinkPartition.of(graph, 2);
        long cut = IntStream.range(0, n)
                .mapToLong(page -> rows.get(page).keySet().stream()
                        .filter(to -> owner[to] != owner[page])
                        .count())
                .sum();
        assertTrue(cut < 0.2 * 3 * n, cut + " links are cut");
        assertArrayEquals(owner, LinkPartition.of(graph, 2));
    }
}
