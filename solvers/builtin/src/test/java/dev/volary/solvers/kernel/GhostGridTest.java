// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.kernel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.volary.solver.Box;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

final class GhostGridTest {
    private final GhostGrid layout = new GhostGrid(Box.of(new int[] {2, 3, 4}, new int[] {4, 6, 9}));

    @Test
    void theCoreIsStoredAndReadInRowMajorOrder() {
        double[] core = new double[2 * 3 * 5];
        Arrays.setAll(core, i -> i + 1);
        double[] grid = layout.allocate();
        layout.setCore(grid, core);
        assertEquals(1, grid[layout.index(0, 0, 0)]);
        assertEquals(30, grid[layout.index(1, 2, 4)]);
        double[] copy = new double[core.length];
        layout.copyCore(grid, copy);
        assertArrayEquals(core, copy);
    }

    @Test
    void aRegionIsReadByItsGlobalIndices() {
        double[] grid = layout.allocate();
        grid[layout.index(1, 0, 3)] = 7;
        grid[layout.index(1, 0, 4)] = 8;
        double[] target = new double[2];
        layout.read(grid, Box.of(new int[] {3, 3, 7}, new int[] {4, 4, 9}), target);
        assertArrayEquals(new double[] {7, 8}, target);
    }

    @Test
    void ghostsOfAFaceAreSetInRowMajorOrder() {
        double[] grid = layout.allocate();
        double[] face = {1, 2, 3, 4, 5, 6};
        layout.setGhosts(grid, 2, true, face);
        assertEquals(1, grid[layout.index(0, 0, 5)]);
        assertEquals(2, grid[layout.index(0, 1, 5)]);
        assertEquals(6, grid[layout.index(1, 2, 5)]);
        assertEquals(21, Arrays.stream(grid).sum());
    }

    @Test
    void noTwoPointsOrGhostsShareAnElement() {
        double[] grid = layout.allocate();
        int count = 0;
        for (int plane = -1; plane <= 2; plane++) {
            for (int row = -1; row <= 3; row++) {
                for (int column = -1; column <= 5; column++) {
                    boolean inPlane = plane >= 0 && plane < 2;
                    boolean inRow = row >= 0 && row < 3;
                    boolean inColumn = column >= 0 && column < 5;
                    if ((inPlane ? 1 : 0) + (inRow ? 1 : 0) + (inColumn ? 1 : 0) >= 2) {
                        grid[layout.index(plane, row, column)]++;
                        count++;
                    }
                }
            }
        }
        assertEquals(count, Arrays.stream(grid).filter(value -> value == 1).count());
    }

    @Test
    void rowsNeverLieAWholeNumberOfPagesApart() {
        SweepRegion patch = new GhostGrid(Box.of(new int[] {0, 0}, new int[] {3, 510})).whole();
        assertEquals(520, patch.rowStride());
    }

    @Test
    void otherNumbersOfAxesAreRefused() {
        assertThrows(IllegalArgumentException.class, () -> new GhostGrid(Box.of(new int[] {0}, new int[] {5})));
    }
}
