// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.snapshot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.protocol.message.KeptAnswer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The deadline comes at 1 s; the last snapshot may take 10 s. */
class LastSnapshotDeadlineTest {
    private static final long SECOND = Duration.ofSeconds(1).toNanos();
    private static final KeptAnswer ANSWER = new KeptAnswer(1, 5, 10, List.of());

    private final BestAnswer best = new BestAnswer(true);
    private final LastSnapshotDeadline deadline = new LastSnapshotDeadline(Duration.ofSeconds(10), best);

    @Test
    void nothingIsDeliveredInsteadOfASnapshotBeforeTheDeadline() {
        best.inherited(ANSWER);
        assertFalse(deadline.hasPassed());
        assertEquals(Optional.empty(), deadline.insteadOf(6));
        assertEquals(Optional.empty(), deadline.insteadOfWaiting(100 * SECOND));
        assertFalse(deadline.isBoundOver(100 * SECOND));
        assertEquals(Long.MAX_VALUE, deadline.wakeUp(100 * SECOND));
    }

    @Test
    void aKeptAnswerReplacesALastSnapshotWithALargerResidualOnly() {
        best.inherited(ANSWER);
        deadline.pass(SECOND);
        assertTrue(deadline.hasPassed());
        assertEquals(Optional.of(ANSWER), deadline.insteadOf(6));
        assertEquals(Optional.empty(), deadline.insteadOf(5));
    }

    @Test
    void aKeptAnswerReplacesALastSnapshotThatDoesNotCloseInHalfOfTheBound() {
        best.inherited(ANSWER);
        deadline.pass(SECOND);
        assertEquals(6 * SECOND, deadline.wakeUp(SECOND));
        assertEquals(Optional.empty(), deadline.insteadOfWaiting(6 * SECOND - 1));
        assertEquals(Optional.of(ANSWER), deadline.insteadOfWaiting(6 * SECOND));
    }

    @Test
    void withoutAKeptAnswerTheLastSnapshotMayCloseUntilTheBoundIsOver() {
        deadline.pass(SECOND);
        assertEquals(Optional.empty(), deadline.insteadOf(6));
        assertEquals(Optional.empty(), deadline.insteadOfWaiting(6 * SECOND));
        assertEquals(11 * SECOND, deadline.wakeUp(6 * SECOND));
        assertFalse(deadline.isBoundOver(11 * SECOND - 1));
        assertTrue(deadline.isBoundOver(11 * SECOND));
    }
}
