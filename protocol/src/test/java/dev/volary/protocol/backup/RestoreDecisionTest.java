// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.backup;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.volary.protocol.backup.RestoreDecision.Next;
import dev.volary.protocol.model.Scheme;
import java.time.Duration;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class RestoreDecisionTest {
    private static final RestoreDecision.Patience PATIENCE = new RestoreDecision.Patience(
            Duration.ofNanos(25), Duration.ofNanos(7), Duration.ofNanos(10), Duration.ofNanos(50));
    private static final long BEGIN = 100;

    @Test
    void aBackupThatIsFoundInTimeIsWhatTheBlockStartsFrom() {
        RestoreDecision decision = known();
        assertEquals(Next.WAIT, decision.tick(BEGIN + 24));
        assertEquals(Next.START, decision.searched(true));
        assertEquals(Next.WAIT, decision.tick(BEGIN + 1000));
    }

    @Test
    void aSearchThatFindsNothingStartsTheBlockAtOnce() {
        assertEquals(Next.START_WITHOUT, known().searched(false));
    }

    @Test
    void aBlockWaitsLongerForABackupThatIsKnown() {
        assertEquals(OptionalLong.of(BEGIN + 25), known().startAt());
        assertEquals(OptionalLong.of(BEGIN + 7), unknown().startAt());
    }

    @Test
    void aBlockThatHasWaitedStartsWithoutOnceAndIsOfferedTheBackupLater() {
        RestoreDecision decision = known();
        assertEquals(Next.START_WITHOUT, decision.tick(BEGIN + 25));
        assertEquals(Next.WAIT, decision.tick(BEGIN + 26));
        assertEquals(Next.OFFER, decision.searched(true));
    }

    @Test
    void aSearchThatFindsNothingLaterChangesNothing() {
        RestoreDecision decision = known();
        decision.tick(BEGIN + 25);
        assertEquals(Next.WAIT, decision.searched(false));
    }

    @Test
    void aKnownBackupThatNobodyHadIsSearchedForAgainForAWhile() {
        RestoreDecision decision = known();
        assertEquals(Next.START_WITHOUT, decision.searched(false));
        assertEquals(OptionalLong.of(BEGIN + 13), decision.searchAgainAt(BEGIN + 3));
        assertEquals(Next.WAIT, decision.searched(false));
        assertEquals(OptionalLong.of(BEGIN + 50), decision.searchAgainAt(BEGIN + 40));
        assertEquals(Next.OFFER, decision.searched(true));
        assertEquals(OptionalLong.empty(), decision.searchAgainAt(BEGIN + 41));
    }

    @Test
    void aBackupOfWhichNobodyKnowsIsSearchedForOnce() {
        RestoreDecision decision = unknown();
        assertEquals(OptionalLong.empty(), decision.searchAgainAt(BEGIN + 1));
    }

    @Test
    void inLockStepABlockWaitsForTheOnlySearch() {
        RestoreDecision decision = new RestoreDecision(Scheme.SYNCHRONOUS, true, PATIENCE, BEGIN);
        assertEquals(OptionalLong.empty(), decision.startAt());
        assertEquals(Next.WAIT, decision.tick(BEGIN + 1000));
        assertEquals(OptionalLong.empty(), decision.searchAgainAt(BEGIN + 3));
        assertEquals(Next.START, decision.searched(true));
    }

    private static RestoreDecision known() {
        return new RestoreDecision(Scheme.ASYNCHRONOUS, true, PATIENCE, BEGIN);
    }

    private static RestoreDecision unknown() {
        return new RestoreDecision(Scheme.ASYNCHRONOUS, false, PATIENCE, BEGIN);
    }
}
