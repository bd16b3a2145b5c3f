// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.compute;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.volary.solver.Box;
import dev.volary.solver.IndexList;
import dev.volary.solver.IndexRange;
import dev.volary.solver.Region;
import dev.volary.solver.Shape;
import org.junit.jupiter.api.Test;

class EdgePositionsTest {

    @Test
    void boxesInBoxesAgreeWithTheGlobalIndices() {
        agrees(Shape.of(4, 5, 6), box(1, 1, 2, 4, 5, 6), box(3, 1, 2, 4, 5, 6));
        agrees(Shape.of(4, 5, 6), box(1, 1, 2, 4, 5, 6), box(1, 2, 3, 3, 4, 5));
        agrees(Shape.of(4, 5, 6), box(0, 0, 0, 4, 5, 6), box(0, 0, 5, 4, 5, 6));
    }

    @Test
    void unsortedIndicesAndRangesAgreeWithTheGlobalIndices() {
        agrees(Shape.of(20), IndexList.of(9, 3, 17, 4, 0), IndexList.of(0, 17, 3));
        agrees(Shape.of(20), new IndexRange(5, 12), IndexList.of(11, 5));
    }

    @Test
    void anEdgeOutsideTheCoreIsRejected() {
        Shape shape = Shape.of(4, 4);
        Region core = Box.of(new int[] {0, 0}, new int[] {2, 4});
        Region outside = Box.of(new int[] {2, 0}, new int[] {3, 4});
        assertThrows(IllegalArgumentException.class, () -> EdgePositions.of(shape, core, outside));
        assertThrows(
                IllegalArgumentException.class,
                () -> EdgePositions.of(Shape.of(9), IndexList.of(1, 2), IndexList.of(3)));
    }

    private static Region box(int z0, int y0, int x0, int z1, int y1, int x1) {
        return Box.of(new int[] {z0, y0, x0}, new int[] {z1, y1, x1});
    }

    private static void agrees(Shape shape, Region core, Region edge) {
        long[] globals = core.indices(shape);
        long[] wanted = edge.indices(shape);
        int[] positions = EdgePositions.of(shape, core, edge);
        assertEquals(wanted.length, positions.length);
        long[] found = new long[positions.length];
        for (int i = 0; i < positions.length; i++) {
            found[i] = globals[positions[i]];
        }
        assertArrayEquals(wanted, found);
    }
}
