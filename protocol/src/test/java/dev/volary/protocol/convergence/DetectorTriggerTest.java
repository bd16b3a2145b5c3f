// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.convergence;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.protocol.config.SnapshotConfig;
import org.junit.jupiter.api.Test;

class DetectorTriggerTest {
    private static final SnapshotConfig CONFIG = SnapshotConfig.of(1).waitingForDetector();
    private static final long PERIOD = CONFIG.minimumPeriod().toNanos();

    private final DetectorTrigger trigger = new DetectorTrigger(CONFIG);

    DetectorTriggerTest() {
        trigger.start(0, false);
    }

    @Test
    void smallHintsAloneOpenNoSnapshot() {
        trigger.setLargestHint(0);
        assertFalse(trigger.isDue(PERIOD - 1));
        assertTrue(trigger.isDue(PERIOD), "the grid shows the residual");
    }

    @Test
    void theDetectorOpensASnapshotAtOnceAndItDecides() {
        trigger.converged();
        assertTrue(trigger.isDue(0));
        trigger.opened(0);
        assertTrue(trigger.isTrying());
        assertTrue(trigger.decides(true));
        trigger.closed(2, 0, 0);
        assertFalse(trigger.isTrying());
        assertFalse(trigger.isDue(0), "the detector must see the convergence again");
    }

    @Test
    void aSnapshotOfTheGridDoesNotEndTheJob() {
        trigger.opened(PERIOD);
        assertFalse(trigger.decides(true));
    }

    @Test
    void theTenthGoodSnapshotInARowCountsThoughTheDetectorIsSilent() {
        for (int i = 1; i < 10; i++) {
            trigger.opened(i * PERIOD);
            assertFalse(trigger.decides(true), "snapshot " + i);
        }
        assertTrue(trigger.decides(true));
        assertFalse(trigger.decides(false));
        assertFalse(trigger.decides(true), "the count begins again");
    }

    @Test
    void aWithdrawnDetectionIsNotTried() {
        trigger.converged();
        trigger.withdrawn();
        assertFalse(trigger.isTrying());
        assertFalse(trigger.isDue(0));
    }

    @Test
    void aBrokenSnapshotMustBeDetectedAgain() {
        trigger.converged();
        trigger.opened(0);
        assertFalse(trigger.broken(), "the next one does not begin at once");
        assertFalse(trigger.isTrying());
        assertEquals(PERIOD, trigger.wakeUp());
    }
}
