// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.halo;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.mesh.RecordingListener;
import dev.volary.mesh.link.BlockPair;
import dev.volary.protocol.model.GroupTerm;
import dev.volary.protocol.model.Incarnation;
import dev.volary.protocol.model.WorkerId;
import org.junit.jupiter.api.Test;

class LockStepReceiverTest {
    private static final WorkerId SENDER = new WorkerId(1);
    private static final Incarnation INCARNATION = new Incarnation(new GroupTerm(1, SENDER), 1);

    private final LockStepReceiver slots = new LockStepReceiver(new BlockPair(0, 1), 1, new RecordingListener());

    private void offer(int step, long iteration) {
        slots.receiveLocal(new double[] {10.0 * step + iteration}, INCARNATION, step, iteration, 0, SENDER);
    }

    @Test
    void valuesTooFarAheadWithinAStepAreDropped() {
        offer(1, 0);
        offer(1, 1);
        offer(1, 2);
        assertTrue(slots.take(1, 0));
        assertTrue(slots.take(1, 1));
        assertFalse(slots.take(1, 2));
    }

    /** The partner has committed and is on its way; asking for its values again would cost a retry in every step. */
    @Test
    void theFirstValuesOfAStepReplaceTheLatestOfTheOldStep() {
        offer(1, 0);
        offer(1, 1);
        offer(2, 0);
        assertTrue(slots.take(2, 0));
        assertArrayEquals(new double[] {20}, slots.values());
    }

    @Test
    void theNextValuesOfTheOldStepStayUntilTheCommit() {
        offer(1, 0);
        offer(1, 1);
        offer(2, 0);
        assertTrue(slots.take(1, 0));
        assertTrue(slots.take(2, 0));
    }
}
