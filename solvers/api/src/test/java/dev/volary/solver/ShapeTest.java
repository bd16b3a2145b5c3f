// SPDX-License-Identifier: Apache-2.0
package dev.volary.solver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

final class ShapeTest {

    @Test
    void theSizeOfAShapeMayExceedAnInt() {
        assertEquals(2_500_000_000L, Shape.of(50_000, 50_000).size());
    }

    @Test
    void aShapeCannotBeChangedThroughItsExtents() {
        Shape shape = Shape.of(2, 3);
        shape.extents()[0] = 9;
        assertEquals(Shape.of(2, 3), shape);
        assertEquals("2 × 3", shape.toString());
    }

    @Test
    void emptyAxesAreRefused() {
        IllegalArgumentException refused = assertThrows(IllegalArgumentException.class, () -> Shape.of(4, 0));
        assertEquals("extents are [4, 0], must all be positive", refused.getMessage());
        assertThrows(IllegalArgumentException.class, Shape::of);
    }
}
