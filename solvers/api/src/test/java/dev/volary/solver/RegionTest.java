// SPDX-License-Identifier: Apache-2.0
package dev.volary.solver;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Optional;
import org.junit.jupiter.api.Test;

final class RegionTest {

    @Test
    void aBoxVisitsItsPointsInRowMajorOrder() {
        Box box = Box.of(new int[] {1, 2}, new int[] {3, 4});
        assertArrayEquals(new long[] {12, 13, 22, 23}, box.indices(Shape.of(5, 10)));
        assertEquals(4, box.size());
    }

    @Test
    void boxesIntersectInABoxOrNotAtAll() {
        Box box = Box.of(new int[] {0, 2}, new int[] {4, 6});
        assertEquals(
                Optional.of(Box.of(new int[] {3, 2}, new int[] {4, 5})),
                box.intersect(Box.of(new int[] {3, 0}, new int[] {9, 5})));
        assertEquals(Optional.empty(), box.intersect(Box.of(new int[] {4, 0}, new int[] {9, 5})));
        assertThrows(IllegalArgumentException.class, () -> box.intersect(Box.of(new int[] {0}, new int[] {1})));
    }

    @Test
    void aRangeVisitsItsIndicesUpwards() {
        assertArrayEquals(new long[] {3, 4, 5}, new IndexRange(3, 6).indices(Shape.of(10)));
    }

    @Test
    void indicesKeepTheirOrder() {
        assertArrayEquals(new long[] {7, 2, 5}, IndexList.of(7, 2, 5).indices(Shape.of(10)));
    }

    @Test
    void globalIndicesBeyondAnIntAreVisited() {
        // Row 49 999 of 50 000 × 50 000 starts at 2 499 950 000.
        Box box = Box.of(new int[] {49_999, 0}, new int[] {50_000, 1});
        assertArrayEquals(new long[] {2_499_950_000L}, box.indices(Shape.of(50_000, 50_000)));
    }

    @Test
    void regionsAreEqualByValue() {
        assertEquals(Box.of(new int[] {0, 1}, new int[] {2, 3}), Box.of(new int[] {0, 1}, new int[] {2, 3}));
        assertNotEquals(Box.of(new int[] {0, 1}, new int[] {2, 3}), Box.of(new int[] {0, 1}, new int[] {2, 4}));
        assertEquals(IndexList.of(1, 2), IndexList.of(1, 2));
        assertNotEquals(IndexList.of(1, 2), IndexList.of(2, 1));
    }

    @Test
    void emptyRegionsAreRefused() {
        assertThrows(IllegalArgumentException.class, () -> Box.of(new int[] {0, 3}, new int[] {2, 3}));
        assertThrows(IllegalArgumentException.class, () -> new IndexRange(4, 4));
        assertThrows(IllegalArgumentException.class, IndexList::of);
    }

    @Test
    void aBoxAndAShapeOfDifferentAxesDoNotMix() {
        Box box = Box.of(new int[] {0, 0}, new int[] {1, 1});
        assertThrows(IllegalArgumentException.class, () -> box.indices(Shape.of(4)));
    }
}
