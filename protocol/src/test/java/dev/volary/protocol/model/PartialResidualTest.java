// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class PartialResidualTest {

    @Test
    void ofTheMaximumNormTheLargestCounts() {
        assertEquals(
                new PartialResidual(3, 5, 0.5),
                PartialResidual.ZERO.combine(new PartialResidual(2, 1, 0.5)).combine(new PartialResidual(3, 4, 0.25)));
    }

    @Test
    void additiveNormsAndTheirRoundingErrorsAddUp() {
        PartialResidual both = PartialResidual.ZERO
                .combine(new PartialResidual(2, 1, 0.5, true))
                .combine(new PartialResidual(3, 4, 0.25, true));
        assertEquals(new PartialResidual(5, 5, 0.75, true), both);
        assertEquals(5.75, both.bound());
    }

    @Test
    void notANumberStaysInEitherNorm() {
        for (boolean additive : new boolean[] {false, true}) {
            PartialResidual broken = new PartialResidual(Double.NaN, 1, 0, additive);
            assertTrue(Double.isNaN(
                    broken.combine(new PartialResidual(1, 1, 0, additive)).norm()));
            assertTrue(Double.isNaN(
                    new PartialResidual(1, 1, 0, additive).combine(broken).norm()));
        }
    }
}
