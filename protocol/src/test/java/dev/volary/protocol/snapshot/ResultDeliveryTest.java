// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.snapshot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** The verdict on snapshot 7 is logged. */
class ResultDeliveryTest {
    private static final long SID = 7;

    private final ResultDelivery delivery = new ResultDelivery(false);

    ResultDeliveryTest() {
        delivery.begin(SID);
    }

    @Test
    void aCompleteResultIsDelivered() {
        assertTrue(delivery.assembled(SID, false));
        assertEquals(OptionalLong.empty(), delivery.snapshotToCopy());
    }

    @Test
    void aResultOfAnotherSnapshotIsNotDelivered() {
        assertFalse(delivery.assembled(SID - 1, false));
        assertFalse(delivery.partsMissing(SID - 1));
    }

    @Test
    void aResultThatMustSurviveTheLeaderIsCopiedFirst() {
        assertFalse(delivery.assembled(SID, true));
        assertTrue(delivery.isCopying());
        assertEquals(OptionalLong.of(SID), delivery.snapshotToCopy());
        delivery.end();
        assertEquals(OptionalLong.empty(), delivery.snapshotToCopy());
    }

    @Test
    void aResultThatIsPublishedIsDeliveredAfterItsCopyAndItsPublication() {
        ResultDelivery publishing = new ResultDelivery(true);
        publishing.begin(SID);
        assertFalse(publishing.assembled(SID, true));
        assertEquals(OptionalLong.empty(), publishing.snapshotToPublish());
        assertFalse(publishing.copied());
        assertEquals(OptionalLong.of(SID), publishing.snapshotToPublish());
        assertTrue(publishing.hasResult());
        assertFalse(publishing.partsMissing(SID));
    }

    @Test
    void aVerdictIsWithdrawnIfPartsAreLostBeforeTheResultIsComplete() {
        assertTrue(delivery.partsMissing(SID));
        assertTrue(delivery.isWithdrawing());
        assertFalse(delivery.assembled(SID, false), "too late");
        assertFalse(delivery.partsMissing(SID), "withdrawn once");
    }

    @Test
    void aCompleteResultNeedsItsPartsNoMore() {
        delivery.assembled(SID, true);
        assertFalse(delivery.partsMissing(SID));
        assertTrue(delivery.isCopying());
    }

    @Test
    void thereIsNothingToDeliverBeforeAVerdictAndAfterTheEnd() {
        assertFalse(new ResultDelivery(false).assembled(0, false));
        delivery.end();
        assertFalse(delivery.assembled(SID, false));
    }
}
