// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.snapshot;

import static dev.volary.protocol.Samples.incarnation;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.protocol.model.RecordedBlock;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Blocks 0 and 1 have recorded. */
class EdgeCheckTest {
    private static final RecordedBlock ZERO = new RecordedBlock(0, incarnation(1, 1), 100);
    private static final RecordedBlock ONE = new RecordedBlock(1, incarnation(1, 1), 101);
    private static final RecordedBlock UNKNOWN = new RecordedBlock(2, incarnation(1, 1), 102);

    private final EdgeCheck edges = new EdgeCheck(List.of(ZERO, ONE));

    @Test
    void whatWasRecordedNeedsNoCorrection() {
        assertEquals(List.of(), edges.corrections(List.of(ONE, ZERO)));
    }

    @Test
    void otherValuesOfTheSameIncarnationAreCorrected() {
        RecordedBlock otherHash = new RecordedBlock(0, incarnation(1, 1), 999);
        assertEquals(List.of(ZERO), edges.corrections(List.of(ONE, otherHash)));
    }

    @Test
    void theSameValuesOfAnotherIncarnationAreCorrected() {
        RecordedBlock otherIncarnation = new RecordedBlock(0, incarnation(1, 2), 100);
        assertEquals(List.of(ZERO), edges.corrections(List.of(otherIncarnation, ONE)));
    }

    @Test
    void aBlockThatDidNotRecordIsNotCoveredAndNotCorrected() {
        assertFalse(edges.covers(List.of(ZERO, UNKNOWN)));
        assertTrue(edges.covers(List.of(ZERO, ONE)));
        assertEquals(List.of(), edges.corrections(List.of(UNKNOWN)));
    }
}
