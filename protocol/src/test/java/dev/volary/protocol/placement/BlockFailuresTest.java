// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.placement;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.protocol.model.WorkerId;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A block may fail on two daemons. */
class BlockFailuresTest {
    private static final WorkerId ONE = new WorkerId(1);
    private static final WorkerId TWO = new WorkerId(2);
    private static final WorkerId THREE = new WorkerId(3);

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
        failures.progressed(0);
        assertEquals(Set.of(), failures.failedDaemons(0));
        assertFalse(failures.failed(0, TWO));
    }

    @Test
    void aBlockIsToBlameOnceTooManyDaemonsDiedWithIt() {
        assertFalse(failures.diedWith(0, ONE));
        failures.died(Set.of(0, 1));
        assertTrue(failures.diedWith(0, TWO));
    }

    @Test
    void aDaemonThatDiesWithoutTheBlockExcusesOneThatDiedWithIt() {
        failures.diedWith(0, ONE);
        failures.died(Set.of(1));
        assertFalse(failures.diedWith(0, TWO));
        assertTrue(failures.diedWith(0, THREE));
    }

    @Test
    void deathsBeforeABlockFailedAndBeforeItIteratedExcuseNothing() {
        failures.died(Set.of());
        failures.diedWith(0, ONE);
        failures.died(Set.of());
        failures.progressed(0);
        failures.diedWith(0, TWO);
        assertTrue(failures.diedWith(0, THREE));
    }

    @Test
    void theFailuresOfOneBlockDoNotCountForAnother() {
        failures.failed(0, ONE);
        assertFalse(failures.failed(1, TWO));
        failures.progressed(1);
        assertEquals(Set.of(ONE), failures.failedDaemons(0));
    }
}
