// SPDX-License-Identifier: Apache-2.0
package dev.volary.solver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.stream.IntStream;
import net.jqwik.api.Assume;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

final class GridPatchTest {

    @Test
    void aLevelHasHalfThePointsOfTheOneBefore() {
        assertEquals(
                "127 63 31 15 7 3 1 0",
                String.join(
                        " ", IntStream.range(0, 8).mapToObj(l -> points(127, l)).toList()));
        assertEquals(
                "100 50 24 12 5 2 1 0",
                String.join(
                        " ", IntStream.range(0, 8).mapToObj(l -> points(100, l)).toList()));
    }

    private static String points(int n, int level) {
        return Integer.toString(GridPatch.pointsOnLevel(n, level));
    }

    @Property(seed = "1", tries = 300)
    void theLastCellIsBetweenHalfAndOneAndAHalf(
            @ForAll @IntRange(min = 2, max = 3000) int n, @ForAll @IntRange(min = 1, max = 9) int level) {
        int points = GridPatch.pointsOnLevel(n, level);
        Assume.that(points > 0);
        double cell = (n + 1.0) / (1 << level) - points;
        assertTrue(cell >= 0.5 && cell < 1.5, () -> "the last cell is " + cell);
    }

    @Test
    void theShortestAxisLimitsTheLevels() {
        assertEquals(6, GridPatch.deepestLevel(Shape.of(127, 127)));
        assertEquals(1, GridPatch.deepestLevel(Shape.of(127, 2)));
        assertEquals(0, GridPatch.deepestLevel(Shape.of(1, 127)));
    }

    @Test
    void ghostsLieOnCoarsePlanes() {
        Shape line = Shape.of(100, 100);
        // The core has the lines 26 … 50. With two layers the ghosts lie on 23 and 53, or beyond on multiples of
        // 2^level.
        Box core = Box.of(new int[] {25, 25}, new int[] {50, 50});
        assertEquals("20 56", lines(GridPatch.around(core, line, 2, 2)));
        assertEquals("16 56", lines(GridPatch.around(core, line, 2, 3)));
        assertEquals("22 54", lines(GridPatch.around(core, line, 2, 1)));
        assertEquals("24 52", lines(GridPatch.around(core, line, 0, 1)));
    }

    private static String lines(GridPatch patch) {
        return patch.low(0) + " " + patch.high(0);
    }

    @Test
    void aPatchThatComesNearTheBoundaryReachesIt() {
        // Level 3 has the lines 8 … 96, and beyond them 101 only.
        Box core = Box.of(new int[] {2, 80}, new int[] {20, 95});
        GridPatch patch = GridPatch.around(core, Shape.of(100, 100), 2, 3);
        assertEquals(0, patch.low(0));
        assertEquals(101, patch.high(1));
        // Lines 1 … 24 and 72 … 100.
        assertEquals(Box.of(new int[] {0, 71}, new int[] {24, 100}), patch.box());
    }

    @Property(seed = "2", tries = 300)
    void aPatchIsTheSmallestThatHasItsLayersAndItsAlignment(
            @ForAll @IntRange(min = 8, max = 200) int n,
            @ForAll @IntRange(min = 0, max = 199) int lo,
            @ForAll @IntRange(min = 1, max = 60) int length,
            @ForAll @IntRange(min = 0, max = 4) int overlap,
            @ForAll @IntRange(min = 1, max = 3) int level) {
        Assume.that(lo + length <= n && GridPatch.pointsOnLevel(n, level) > 0);
        GridPatch patch =
                GridPatch.around(Box.of(new int[] {lo, 0}, new int[] {lo + length, n}), Shape.of(n, n), overlap, level);
        int step = 1 << level;
        int low = patch.low(0);
        assertEquals(0, low % step);
        assertTrue(low == 0 || low <= lo - overlap);
        assertTrue(low + step > lo - overlap);
        int high = patch.high(0);
        int last = GridPatch.pointsOnLevel(n, level) * step;
        assertTrue(high == n + 1 || high % step == 0);
        assertTrue(high == n + 1 || high >= lo + length + 1 + overlap);
        // One step less would be too little, or there is no coarse plane there.
        assertTrue(high - step < lo + length + 1 + overlap || last < lo + length + 1 + overlap);
    }

    @Test
    void aLevelThatTheGridLacksIsRefused() {
        Box core = Box.of(new int[] {0, 0}, new int[] {4, 4});
        assertThrows(IllegalArgumentException.class, () -> GridPatch.around(core, Shape.of(4, 4), 2, 3));
        assertThrows(IllegalArgumentException.class, () -> GridPatch.around(core, Shape.of(4, 4), -1, 1));
    }
}
