// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.config;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class SnapshotConfigTest {

    @Test
    void inRoundsOnlyHintsWellWithinTheToleranceSpeakForASnapshot() {
        assertEquals(6, SnapshotConfig.of(2).hintBound());
        assertEquals(1.2, SnapshotConfig.of(2).inRounds().hintBound(), 1e-15);
    }
}
