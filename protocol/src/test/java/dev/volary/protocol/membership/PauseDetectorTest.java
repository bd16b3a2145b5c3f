// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.membership;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** A call may be 10 ns late. */
class PauseDetectorTest {
    private final PauseDetector pauses = new PauseDetector(10);

    private void callAndExpect(long call, long wakeUp) {
        assertEquals(0, pauses.called(call));
        pauses.expect(wakeUp);
    }

    @Test
    void aCallThatIsNotMuchTooLateShowsNoPause() {
        callAndExpect(0, 100);
        assertEquals(10, pauses.lateNanos(110));
        assertEquals(0, pauses.called(110));
    }

    @Test
    void anEarlierCallIsNotLate() {
        callAndExpect(0, 100);
        assertEquals(0, pauses.lateNanos(40));
        assertEquals(0, pauses.called(40));
    }

    @Test
    void aPauseMayHaveBegunBeforeTheCallWasDue() {
        callAndExpect(0, 100);
        assertEquals(60, pauses.called(130), "30 late, and paused for up to 30 before");
    }

    @Test
    void aPauseBeganAfterTheCallBefore() {
        callAndExpect(80, 100);
        assertEquals(50, pauses.called(130), "30 late, and 20 since the last call");
    }

    @Test
    void aPauseIsReportedOnce() {
        callAndExpect(0, 100);
        assertEquals(60, pauses.called(130));
        assertEquals(0, pauses.called(200));
        pauses.expect(210);
        assertEquals(30, pauses.called(230), "20 late, and 10 since the last call");
    }
}
