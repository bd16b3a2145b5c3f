// SPDX-License-Identifier: Apache-2.0
package dev.volary.solver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;

final class DecompositionTest {
    private static final List<Subdomain> PARTS =
            List.of(new Subdomain(0, new IndexRange(0, 2), 0, 1), new Subdomain(1, new IndexRange(2, 4), 0, 1));
    private static final Edge RIGHT = new Edge(0, 1, new IndexRange(1, 2));
    private static final Edge LEFT = new Edge(1, 0, new IndexRange(2, 3));

    @Test
    void edgesAreFoundByTheirEnds() {
        Decomposition decomposition = new Decomposition(Shape.of(4), PARTS, List.of(RIGHT, LEFT));
        assertEquals(List.of(LEFT), decomposition.incoming(0));
        assertEquals(List.of(RIGHT), decomposition.outgoing(0));
    }

    @Test
    void partsMustStandAtTheirIds() {
        assertThrows(IllegalArgumentException.class, () -> new Decomposition(Shape.of(4), PARTS.reversed(), List.of()));
    }

    @Test
    void anEdgeMustJoinTwoParts() {
        Edge nowhere = new Edge(0, 2, new IndexRange(1, 2));
        IllegalArgumentException refused = assertThrows(
                IllegalArgumentException.class, () -> new Decomposition(Shape.of(4), PARTS, List.of(nowhere)));
        assertEquals("edge from 0 to 2 does not join two of the 2 parts", refused.getMessage());
    }
}
