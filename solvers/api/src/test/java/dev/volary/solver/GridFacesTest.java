// SPDX-License-Identifier: Apache-2.0
package dev.volary.solver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

final class GridFacesTest {

    @Test
    void aBlockInTheMiddleHasANeighborOnEveryFace() throws InvalidProblemException {
        Decomposition nine = GridDecomposition.star(Shape.of(3, 3), 9, 1, 8, 1);
        GridFaces faces = GridFaces.of(nine, 4);
        assertEquals(1, source(nine, 4, faces.low(0)));
        assertEquals(7, source(nine, 4, faces.high(0)));
        assertEquals(3, source(nine, 4, faces.low(1)));
        assertEquals(5, source(nine, 4, faces.high(1)));
    }

    @Test
    void aFaceOnTheBoundaryHasNoHalo() throws InvalidProblemException {
        GridFaces faces = GridFaces.of(GridDecomposition.star(Shape.of(3, 3), 9, 1, 8, 1), 0);
        assertTrue(faces.low(0).isEmpty());
        assertTrue(faces.low(1).isEmpty());
        assertTrue(faces.high(0).isPresent());
        assertTrue(faces.high(1).isPresent());
    }

    @Test
    void aHaloThatIsNotAWholeFaceIsRefused() {
        Subdomain left = new Subdomain(0, Box.of(new int[] {0, 0}, new int[] {4, 2}), 0, 1);
        Subdomain right = new Subdomain(1, Box.of(new int[] {0, 2}, new int[] {4, 4}), 0, 1);
        Edge corner = new Edge(1, 0, Box.of(new int[] {0, 2}, new int[] {3, 3}));
        Decomposition partial = new Decomposition(Shape.of(4, 4), List.of(left, right), List.of(corner));
        IllegalArgumentException refused = assertThrows(IllegalArgumentException.class, () -> GridFaces.of(partial, 0));
        assertEquals("[0, 3) × [2, 3) is not a face beside [0, 4) × [0, 2)", refused.getMessage());
    }

    @Test
    void aBlockThatIsNoBoxIsRefused() {
        Decomposition vector =
                new Decomposition(Shape.of(4), List.of(new Subdomain(0, new IndexRange(0, 4), 0, 1)), List.of());
        assertThrows(IllegalArgumentException.class, () -> GridFaces.of(vector, 0));
    }

    private static int source(Decomposition decomposition, int block, OptionalInt halo) {
        return decomposition.incoming(block).get(halo.orElseThrow()).from();
    }
}
