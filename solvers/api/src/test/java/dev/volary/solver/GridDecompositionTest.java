// SPDX-License-Identifier: Apache-2.0
package dev.volary.solver;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeout;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import net.jqwik.api.Assume;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

final class GridDecompositionTest {

    @Property(seed = "1", tries = 300)
    void everyUnknownLiesInExactlyOneCore(
            @ForAll @IntRange(min = 1, max = 9) int planes,
            @ForAll @IntRange(min = 1, max = 12) int rows,
            @ForAll @IntRange(min = 1, max = 14) int columns,
            @ForAll @IntRange(min = 1, max = 40) int blocks,
            @ForAll @IntRange(min = 1, max = 3) int reach) {
        Shape shape = Shape.of(planes, rows, columns);
        Assume.that(GridDecomposition.choose(shape, blocks, reach).length > 0);
        Decomposition decomposition = star(shape, blocks, reach);
        int[] owners = new int[(int) shape.size()];
        for (Subdomain part : decomposition.parts()) {
            part.core().forEach(shape, index -> owners[(int) index]++);
        }
        int[] once = new int[owners.length];
        Arrays.fill(once, 1);
        assertArrayEquals(once, owners);
        assertEquals(blocks, decomposition.blocks());
    }

    @Test
    void componentsAreASlowestAxisThatIsNeverCut() throws InvalidProblemException {
        Decomposition grid = GridDecomposition.star(Shape.of(6, 8), 4, 1, 10, 3);
        Decomposition twice = GridDecomposition.star(Shape.of(6, 8), 2, 4, 1, 10, 3);
        assertEquals(Shape.of(2, 6, 8), twice.unknowns());
        for (int id = 0; id < 4; id++) {
            Subdomain points = grid.parts().get(id);
            Subdomain part = twice.parts().get(id);
            assertArrayEquals(twoLayers(points.core()), part.core().indices(twice.unknowns()));
            assertEquals(points.bytes(), part.bytes());
            assertEquals(points.work(), part.work());
        }
        assertEquals(grid.edges().size(), twice.edges().size());
        for (int k = 0; k < grid.edges().size(); k++) {
            Edge edge = twice.edges().get(k);
            assertEquals(grid.edges().get(k).from(), edge.from());
            assertEquals(grid.edges().get(k).to(), edge.to());
            assertArrayEquals(
                    twoLayers(grid.edges().get(k).values()), edge.values().indices(twice.unknowns()));
        }
    }

    private static long[] twoLayers(Region region) {
        long[] first = region.indices(Shape.of(6, 8));
        long[] both = Arrays.copyOf(first, 2 * first.length);
        for (int i = 0; i < first.length; i++) {
            both[first.length + i] = first[i] + 6 * 8;
        }
        return both;
    }

    @Test
    void blocksWithMoreUnknownsThanAnArrayHoldsAreRefused() {
        InvalidProblemException refused = assertThrows(
                InvalidProblemException.class, () -> GridDecomposition.star(Shape.of(1024, 1024, 1024), 2, 1, 1, 8, 1));
        assertEquals(
                "blocks is 1, which gives blocks of 2147483648 unknowns, more than an array can hold; use at least 2",
                refused.getMessage());
    }

    @Property(seed = "2", tries = 200)
    void aBlockReadsExactlyTheForeignPointsItsStencilReaches(
            @ForAll @IntRange(min = 1, max = 12) int rows,
            @ForAll @IntRange(min = 1, max = 14) int columns,
            @ForAll @IntRange(min = 1, max = 20) int blocks,
            @ForAll @IntRange(min = 1, max = 3) int reach) {
        Shape shape = Shape.of(rows, columns);
        Assume.that(GridDecomposition.choose(shape, blocks, reach).length > 0);
        Decomposition decomposition = star(shape, blocks, reach);
        for (Subdomain part : decomposition.parts()) {
            Set<Long> core = new HashSet<>();
            part.core().forEach(shape, core::add);
            Set<Long> expected = new HashSet<>();
            for (long index : core) {
                long row = index / columns;
                long column = index % columns;
                for (int d = -reach; d <= reach; d++) {
                    if (row + d >= 0 && row + d < rows) {
                        expected.add((row + d) * columns + column);
                    }
                    if (column + d >= 0 && column + d < columns) {
                        expected.add(row * columns + column + d);
                    }
                }
            }
            expected.removeAll(core);
            Set<Long> read = new HashSet<>();
            for (Edge edge : decomposition.incoming(part.id())) {
                Set<Long> owned = new HashSet<>();
                decomposition.parts().get(edge.from()).core().forEach(shape, owned::add);
                edge.values().forEach(shape, index -> {
                    assertTrue(owned.contains(index), () -> edge + " carries a point its source does not own");
                    assertTrue(read.add(index), () -> "point " + index + " is read twice");
                });
            }
            assertEquals(expected, read);
        }
    }

    @Test
    void fewBlocksOfASquareAreStripsOfWholeRows() {
        assertArrayEquals(new int[] {8, 1}, GridDecomposition.choose(Shape.of(1024, 1024), 8, 1));
    }

    @Test
    void manyBlocksOfASquareAreSquaresBecauseStripsWouldMoreThanDoubleTheHalos() {
        // Halo volume in rows: 16 strips 15, 4 × 4 squares 3 + 3; 15 > 2 · 6.
        assertArrayEquals(new int[] {4, 4}, GridDecomposition.choose(Shape.of(1024, 1024), 16, 1));
    }

    @Test
    void aCubeIsCutOnItsTwoSlowerAxes() {
        assertArrayEquals(new int[] {4, 4, 1}, GridDecomposition.choose(Shape.of(256, 256, 256), 16, 1));
    }

    @Test
    void theFastestAxisIsCutWhereNothingElseFits() {
        assertArrayEquals(new int[] {1, 4}, GridDecomposition.choose(Shape.of(1, 100), 4, 1));
    }

    @Test
    void ofEquallyGoodCutsTheSlowerAxisGetsMore() {
        assertArrayEquals(new int[] {3, 2, 1}, GridDecomposition.choose(Shape.of(12, 12, 12), 6, 1));
    }

    @Test
    void piecesAreRegularChunksWhereThatLeavesNoneEmpty() {
        assertArrayEquals(new int[] {0, 3, 6, 9, 10}, GridDecomposition.boundaries(10, 4));
    }

    @Test
    void piecesAreBalancedWhereRegularChunksWouldLeaveOneEmpty() {
        // ⌈9/6⌉ = 2 would fill only five pieces.
        assertArrayEquals(new int[] {0, 1, 3, 4, 6, 7, 9}, GridDecomposition.boundaries(9, 6));
    }

    @Property(seed = "3", tries = 500)
    void piecesOfAnAxisAreNeverEmpty(
            @ForAll @IntRange(min = 1, max = 200) int extent, @ForAll @IntRange(min = 1, max = 200) int pieces) {
        Assume.that(pieces <= extent);
        int[] at = GridDecomposition.boundaries(extent, pieces);
        assertEquals(0, at[0]);
        assertEquals(extent, at[pieces]);
        for (int i = 0; i < pieces; i++) {
            assertTrue(at[i] < at[i + 1], () -> Arrays.toString(at));
        }
    }

    @Test
    void tooManyBlocksAreRefusedWithTheLargestNumberThatWorks() {
        InvalidProblemException refused = assertThrows(InvalidProblemException.class, () -> {
            GridDecomposition.star(Shape.of(5, 5), 26, 1, 8, 1);
        });
        assertEquals("blocks", refused.subject());
        assertEquals(
                "blocks is 26, but a grid of 5 × 5 points cannot be cut into that many boxes; use 25",
                refused.getMessage());
    }

    @Test
    void aPrimeNumberOfBlocksLongerThanEveryAxisIsRefused() {
        InvalidProblemException refused = assertThrows(InvalidProblemException.class, () -> {
            GridDecomposition.star(Shape.of(5, 5), 7, 1, 8, 1);
        });
        assertRemedy("use 6", refused);
    }

    @Test
    void piecesThinnerThanTheReachAreRefused() {
        InvalidProblemException refused = assertThrows(InvalidProblemException.class, () -> {
            GridDecomposition.star(Shape.of(6, 1), 4, 2, 8, 1);
        });
        assertRemedy("use 3", refused);
    }

    @Test
    void noBlocksAreRefused() {
        InvalidProblemException refused = assertThrows(InvalidProblemException.class, () -> {
            GridDecomposition.star(Shape.of(5, 5), 0, 1, 8, 1);
        });
        assertEquals("blocks is 0; use at least 1", refused.getMessage());
    }

    @Test
    void aBlockThatNoArrayCouldHoldIsRefused() {
        InvalidProblemException refused = assertThrows(InvalidProblemException.class, () -> {
            GridDecomposition.star(Shape.of(2048, 2048, 2048), 4, 1, 8, 1);
        });
        assertRemedy("use at least 8", refused);
    }

    @Test
    void memoryCountsCoreAndHalosAndWorkTheCoreOnly() {
        // 4 × 4 points, two strips of 2 × 4, each with one halo row of 4.
        Subdomain part = star(Shape.of(4, 4), 2, 1).parts().get(0);
        assertEquals((8 + 4) * 16L, part.bytes());
        assertEquals(8 * 3.0, part.work());
    }

    @Test
    void tenThousandBlocksAreCutAndTheirEdgesFoundQuickly() {
        // Linear work takes some 50 ms; scanning all edges for each block would look at 8 · 10⁸.
        assertTimeout(Duration.ofSeconds(3), () -> {
            Decomposition decomposition = star(Shape.of(1000, 1000, 1000), 10_000, 1);
            long read = 0;
            long written = 0;
            for (int b = 0; b < decomposition.blocks(); b++) {
                read += decomposition.incoming(b).size();
                written += decomposition.outgoing(b).size();
            }
            assertEquals(decomposition.edges().size(), read);
            assertEquals(read, written);
        });
    }

    private static void assertRemedy(String remedy, InvalidProblemException refused) {
        assertTrue(String.valueOf(refused.getMessage()).endsWith("; " + remedy), refused::toString);
    }

    private static Decomposition star(Shape shape, int blocks, int reach) {
        try {
            return GridDecomposition.star(shape, blocks, reach, 16, 3);
        } catch (InvalidProblemException unexpected) {
            throw new AssertionError(unexpected);
        }
    }

    @Test
    void cuttingTwiceGivesTheSame() {
        assertEquals(star(Shape.of(31, 17), 6, 1), star(Shape.of(31, 17), 6, 1));
    }

    @Property(seed = "5", tries = 150)
    void coreAndEdgesOfABlockAreItsPatch(
            @ForAll @IntRange(min = 3, max = 17) int planes,
            @ForAll @IntRange(min = 3, max = 19) int rows,
            @ForAll @IntRange(min = 3, max = 15) int columns,
            @ForAll @IntRange(min = 1, max = 30) int blocks,
            @ForAll @IntRange(min = 0, max = 3) int overlap,
            @ForAll @IntRange(min = 1, max = 2) int levels)
            throws InvalidProblemException {
        Shape shape = Shape.of(planes, rows, columns);
        Assume.that(GridDecomposition.choose(shape, blocks, 1).length > 0 && GridPatch.deepestLevel(shape) >= levels);
        Decomposition decomposition = patches(shape, blocks, overlap, levels);
        assertEquals(blocks, decomposition.blocks());
        int[] owner = new int[(int) shape.size()];
        decomposition.parts().forEach(part -> part.core().forEach(shape, index -> owner[(int) index] = part.id()));
        for (Subdomain part : decomposition.parts()) {
            Set<Long> read = new HashSet<>();
            part.core().forEach(shape, read::add);
            for (Edge edge : decomposition.incoming(part.id())) {
                edge.values().forEach(shape, index -> {
                    assertEquals(edge.from(), owner[(int) index]);
                    assertTrue(read.add(index), () -> "point " + index + " is read twice");
                });
            }
            Set<Long> patch = new HashSet<>();
            GridPatch.around((Box) part.core(), shape, overlap, levels).box().forEach(shape, patch::add);
            assertEquals(patch, read);
        }
    }

    @Test
    void aBlockReadsTheCornersOfItsPatchToo() throws InvalidProblemException {
        Decomposition pencils = patches(Shape.of(63, 63, 63), 9, 2, 1);
        assertEquals(8, pencils.incoming(4).size());
        assertEquals(3, pencils.incoming(0).size());
        Decomposition cubes = patches(Shape.of(63, 63, 63), 27, 2, 1);
        // The fastest axis stays whole for 27 blocks: 9 × 3 × 1 pieces.
        assertEquals(8, cubes.incoming(4).size());
        assertEquals(
                26, patches(Shape.of(127, 127, 127), 1000, 2, 1).incoming(555).size());
    }

    @Test
    void coresOfPatchesAreThoseOfAStar() throws InvalidProblemException {
        Shape shape = Shape.of(63, 63, 63);
        Decomposition star = GridDecomposition.star(shape, 8, 1, 8, 1);
        Decomposition patches = patches(shape, 8, 2, 2);
        for (int id = 0; id < 8; id++) {
            assertEquals(star.parts().get(id).core(), patches.parts().get(id).core());
        }
    }

    @Test
    void moreLevelsThanTheGridHasAreRefusedWithTheirNumber() {
        InvalidProblemException refused =
                assertThrows(InvalidProblemException.class, () -> patches(Shape.of(15, 15), 2, 2, 4));
        assertEquals(
                "levels is 4, but a grid of 15 × 15 points can be coarsened 3 times; use 1 to 3", refused.getMessage());
        assertThrows(InvalidProblemException.class, () -> patches(Shape.of(15, 15), 2, 2, 0));
    }

    private static Decomposition patches(Shape shape, int blocks, int overlap, int levels)
            throws InvalidProblemException {
        return GridDecomposition.patches(shape, blocks, overlap, levels, 8, 1);
    }
}
