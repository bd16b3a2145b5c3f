// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.snapshot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.protocol.message.KeptAnswer;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class BestAnswerTest {
    private static final KeptAnswer FIRST = new KeptAnswer(1, 5, 10, List.of());
    private static final KeptAnswer BETTER = new KeptAnswer(2, 3, 20, List.of());

    private final BestAnswer best = new BestAnswer(true);

    private void store(KeptAnswer answer, long begin, long end) {
        best.begin(begin);
        best.stored(answer, end);
    }

    @Test
    void onlyASmallerResidualIsStored() {
        assertTrue(best.isDue(5, 0));
        store(FIRST, 0, 0);
        assertFalse(best.isDue(5, 0));
        assertTrue(best.isDue(4, 0));
        assertFalse(new BestAnswer(false).isDue(4, 0));
    }

    @Test
    void storingTakesASmallShareOfTheTime() {
        store(FIRST, 0, 10);
        assertFalse(best.isDue(4, 209));
        assertTrue(best.isDue(4, 210));
    }

    @Test
    void anAnswerIsBetterThanAVectorWithALargerResidualOnly() {
        store(FIRST, 0, 0);
        assertEquals(Optional.of(FIRST), best.below(6));
        assertEquals(Optional.empty(), best.below(5));
    }

    @Test
    void theOneBeforeCountsAgainIfPartsOfTheNewestAreLostBeforeTheLogNamesIt() {
        store(FIRST, 0, 0);
        assertTrue(best.setLogged());
        assertFalse(best.setLogged());
        store(BETTER, 0, 0);
        assertEquals(OptionalLong.of(1), best.loggedSid());
        best.lost(BETTER.sid());
        assertEquals(Optional.of(FIRST), best.newest());
    }

    @Test
    void noneIsLeftOnceThatWhichTheLogNamesIsLost() {
        store(FIRST, 0, 0);
        store(BETTER, 0, 0);
        assertTrue(best.setLogged());
        best.lost(BETTER.sid());
        assertEquals(Optional.empty(), best.newest());
        assertEquals(OptionalLong.empty(), best.loggedSid());
    }
}
