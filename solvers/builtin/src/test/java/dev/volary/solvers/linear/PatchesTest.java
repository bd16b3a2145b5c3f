// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.linear;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.volary.solver.Edge;
import dev.volary.solver.Region;
import dev.volary.solver.Shape;
import dev.volary.solvers.linear.matrix.SparseMatrix;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PatchesTest {
    private static final Shape UNKNOWNS = Shape.of(6);

    /** A chain of six unknowns; unknown 5 also reads unknown 0, which does not read it. */
    private static SparseMatrix chain() {
        List<Map<Integer, Double>> rows = new java.util.ArrayList<>();
        for (int i = 0; i < 6; i++) {
            Map<Integer, Double> row = new HashMap<>(Map.of(i, 2.0));
            for (int other : new int[] {i - 1, i + 1}) {
                if (other >= 0 && other < 6) {
                    row.put(other, -1.0);
                }
            }
            rows.add(row);
        }
        rows.get(5).put(0, 0.5);
        return Matrices.of(rows);
    }

    private static Patches patches(int layers) {
        return Patches.of(chain(), new int[] {0, 0, 1, 1, 2, 2}, 3, layers, (rows, entries, halo) -> rows);
    }

    @Test
    void aPatchIsTheCoreThenItsLayersAscending() {
        assertArrayEquals(new int[] {0, 1, 2, 5}, patches(1).rows()[0]);
        assertArrayEquals(new int[] {2, 3, 1, 4}, patches(1).rows()[1]);
        assertArrayEquals(new int[] {0, 1, 2, 3, 4, 5}, patches(2).rows()[0]);
        assertArrayEquals(new int[] {2, 2, 2}, patches(1).cores());
    }

    @Test
    void edgesCarryThePatchAndWhatItsRowsRead() {
        Map<String, long[]> carried = new HashMap<>();
        for (Edge edge : patches(1).decomposition().edges()) {
            Region values = edge.values();
            carried.put(edge.from() + " to " + edge.to(), values.indices(UNKNOWNS));
        }
        assertEquals(6, carried.size());
        assertArrayEquals(new long[] {2, 3}, carried.get("1 to 0"));
        assertArrayEquals(new long[] {4, 5}, carried.get("2 to 0"));
        assertArrayEquals(new long[] {0, 1}, carried.get("0 to 1"));
        assertArrayEquals(new long[] {4, 5}, carried.get("2 to 1"));
    }

    @Test
    void aPartStatesTheCostOfItsPatch() {
        assertEquals(4, patches(1).decomposition().parts().getFirst().bytes());
        assertEquals(
                2 + 3 + 3 + 3, patches(1).decomposition().parts().getFirst().work());
    }
}
