// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.model;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class CheckpointGenerationTest {
    private static final CheckpointGeneration OLD = new CheckpointGeneration(0, 1, 240);
    private static final CheckpointGeneration NEW = new CheckpointGeneration(1, 1, 480);

    @Test
    void aGenerationThatOneListLacksIsNotCommon() {
        assertEquals(
                List.of(OLD),
                CheckpointGeneration.commonTo(List.of(List.of(NEW, OLD), List.of(OLD), List.of(OLD, NEW))));
        assertEquals(List.of(), CheckpointGeneration.commonTo(List.of(List.of(NEW), List.of(OLD))));
    }

    @Test
    void theSameSlotOfAnotherEpochIsAnotherGeneration() {
        assertEquals(
                List.of(),
                CheckpointGeneration.commonTo(List.of(List.of(OLD), List.of(new CheckpointGeneration(0, 2, 240)))));
    }
}
