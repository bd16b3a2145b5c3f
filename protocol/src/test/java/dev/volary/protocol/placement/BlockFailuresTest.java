// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.placement;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.protocol.model.WorkerId;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A block may fail on two daemons. */
class BlockFailuresTest {
    private static final WorkerId ONE = new WorkerId(1);
    private static final WorkerId TWO = new WorkerId(2);
    private static final WorkerId THREE = new WorkerId(3);
    private static final WorkerId FOUR = new WorkerId(4);

    private final BlockFailures failures = new BlockFailures(2);

    @Test
    void aBlockIsToBlameOnceItFailedOnTooManyDaemons() {
        assertFalse(failures.failed(0, ONE));
        assertTrue(failures.failed(0, TWO));
        assertEquals(Set.of(ONE, TWO), failures.failedDaemons(0));
    }

    @Test
    void twoFailuresOnOneDaemonCountOnce() {
        failures.failed(0, ONE);
        assertFalse(failures.failed(0, ONE));
    }

    @Test
    void progressForgetsTheFailures() {
        failures.failed(0, ONE);
        failures.progressed(0, ONE);
        assertEquals(Set.of(), failures.failedDaemons(0));
        assertFalse(failures.failed(0, TWO));
    }

    @Test
    void aBlockIsToBlameOnceTooManyDaemonsDiedWithIt() {
        assertEquals(List.of(), failures.diedWith(List.of(0), ONE));
        failures.died(Set.of(0, 1));
        assertEquals(List.of(0), failures.diedWith(List.of(0), TWO));
    }

    @Test
    void aDaemonThatDiesWithoutTheBlockExcusesOneThatDiedWithIt() {
        failures.diedWith(List.of(0), ONE);
        failures.died(Set.of(1));
        assertEquals(List.of(), failures.diedWith(List.of(0), TWO));
        assertEquals(List.of(0), failures.diedWith(List.of(0), THREE));
    }

    @Test
    void deathsBeforeABlockFailedAndBeforeItIteratedExcuseNothing() {
        failures.died(Set.of());
        failures.diedWith(List.of(0), ONE);
        failures.died(Set.of());
        failures.progressed(0, FOUR);
        failures.diedWith(List.of(0), TWO);
        assertEquals(List.of(0), failures.diedWith(List.of(0), THREE));
    }

    @Test
    void aDaemonThatABlockIteratedOnDoesNotCountForIt() {
        failures.progressed(0, ONE);
        failures.diedWith(List.of(0, 1), ONE);
        assertEquals(List.of(1), failures.diedWith(List.of(0, 1), TWO));
        assertEquals(Set.of(TWO), failures.failedDaemons(0));
    }

    @Test
    void anIterationOnAnEarlierDaemonDoesNotExcuseALaterOne() {
        failures.progressed(0, ONE);
        failures.diedWith(List.of(0), TWO);
        assertEquals(List.of(0), failures.diedWith(List.of(0), THREE));
    }

    /** Block 0 shares the daemons of block 1, which a death without both excused once. */
    @Test
    void ofTheBlocksOfADaemonThatDiesThoseWithMostFailuresAreToBlame() {
        failures.diedWith(List.of(1), ONE);
        failures.died(Set.of());
        failures.diedWith(List.of(0, 1), TWO);
        assertEquals(List.of(1), failures.diedWith(List.of(0, 1), THREE));
    }

    @Test
    void blocksThatAlwaysDiedTogetherAreBlamedTogether() {
        failures.diedWith(List.of(0, 1), ONE);
        assertEquals(List.of(0, 1), failures.diedWith(List.of(0, 1), TWO));
    }

    @Test
    void theFailuresOfOneBlockDoNotCountForAnother() {
        failures.failed(0, ONE);
        assertFalse(failures.failed(1, TWO));
        failures.progressed(1, TWO);
        assertEquals(Set.of(ONE), failures.failedDaemons(0));
    }
}
