// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.backup;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.volary.protocol.model.BackupVersion;
import dev.volary.protocol.model.BlockVersion;
import dev.volary.protocol.model.GroupTerm;
import dev.volary.protocol.model.Incarnation;
import dev.volary.protocol.model.WorkerId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class BackupSearchTest {
    private static final WorkerId A = new WorkerId(1);
    private static final WorkerId B = new WorkerId(2);
    private static final WorkerId C = new WorkerId(3);
    private static final List<WorkerId> ALL = List.of(A, B, C);
    private static final Incarnation FIRST = new Incarnation(new GroupTerm(1, new WorkerId(9)), 1);
    private static final Incarnation SECOND = new Incarnation(new GroupTerm(1, new WorkerId(9)), 2);
    private static final BackupSearch.Patience PATIENCE =
            new BackupSearch.Patience(nanos(20), nanos(1_000), nanos(100), nanos(5_000), nanos(10));
    private static final BackupSearch.Next NOTHING = new BackupSearch.Next.Nothing();

    private static Duration nanos(long nanos) {
        return Duration.ofNanos(nanos);
    }

    private static Optional<BlockVersion> copy(long iteration) {
        return Optional.of(new BlockVersion(FIRST, 0, iteration));
    }

    private static BackupSearch search(Optional<BackupVersion> known) {
        BackupSearch search = new BackupSearch(known, PATIENCE, 0);
        search.members(ALL, ALL);
        assertEquals(ALL, search.asks(0));
        assertEquals(List.of(), search.asks(0), "each is asked once");
        return search;
    }

    private static BackupSearch unknown() {
        return search(Optional.empty());
    }

    private static BackupSearch known(long iteration) {
        return search(Optional.of(new BackupVersion(0, FIRST, iteration)));
    }

    /** All have answered: the newest is on its way from B, an older one is with A. */
    private static BackupSearch fetchingFromB() {
        BackupSearch search = unknown();
        search.looked(A, copy(5));
        search.looked(B, copy(7));
        search.looked(C, Optional.empty());
        assertEquals(fetch(B), search.next(1));
        return search;
    }

    private static BackupSearch.Next fetch(WorkerId member) {
        return new BackupSearch.Next.Fetch(member);
    }

    private static BackupSearch.Next waits(long until) {
        return new BackupSearch.Next.Wait(until);
    }

    @Test
    void theNewestOfAllIsFetched() {
        BackupSearch search = unknown();
        search.looked(A, copy(5));
        search.looked(B, copy(7));
        assertEquals(waits(100), search.next(1), "the third may have a newer one");
        search.looked(C, Optional.empty());
        assertEquals(fetch(B), search.next(2));
        search.fetched(B, true);
        assertEquals(new BackupSearch.Next.Done(), search.next(3));
    }

    @Test
    void afterTheNewestKnownCopyIsFoundTheWaitIsShort() {
        BackupSearch search = known(7);
        search.looked(A, copy(5));
        assertEquals(waits(1_000), search.next(500), "longer than if nothing were known");
        search.looked(B, copy(7));
        assertEquals(waits(521), search.next(501), "the third may have an unknown newer one");
        assertEquals(fetch(B), search.next(521));
    }

    @Test
    void aCopyNewerThanTheKnownOneIsFetchedIfItIsFoundSoon() {
        BackupSearch search = known(7);
        search.looked(B, copy(7));
        assertEquals(waits(25), search.next(5));
        search.looked(A, copy(9));
        assertEquals(waits(25), search.next(20), "not longer for that");
        search.looked(C, Optional.empty());
        assertEquals(fetch(A), search.next(21));
    }

    @Test
    void aNewerIncarnationCountsAsNewer() {
        BackupSearch search = known(7);
        search.looked(A, Optional.of(new BlockVersion(SECOND, 0, 2)));
        assertEquals(waits(21), search.next(1));
        assertEquals(fetch(A), search.next(21));
    }

    @Test
    void patienceEndsWithAnyCopy() {
        BackupSearch search = unknown();
        search.looked(A, copy(5));
        assertEquals(fetch(A), search.next(100));
        BackupSearch informed = known(7);
        informed.looked(A, copy(5));
        assertEquals(waits(1_000), informed.next(999));
        assertEquals(fetch(A), informed.next(1_000));
    }

    @Test
    void deadMembersAreNotWaitedFor() {
        BackupSearch search = known(7);
        search.looked(A, copy(5));
        search.looked(C, Optional.empty());
        search.members(List.of(A, C), List.of(A, C));
        assertEquals(fetch(A), search.next(1));
    }

    @Test
    void aMemberThatCannotBeReachedYetIsWaitedFor() {
        BackupSearch search = new BackupSearch(Optional.empty(), PATIENCE, 0);
        search.members(ALL, List.of(A, C));
        assertEquals(List.of(A, C), search.asks(0));
        search.looked(A, copy(5));
        search.looked(C, Optional.empty());
        assertEquals(waits(100), search.next(1));
        search.members(ALL, ALL);
        assertEquals(List.of(B), search.asks(2));
        search.looked(B, copy(9));
        assertEquals(fetch(B), search.next(3));
    }

    @Test
    void anAnswerThatIsLostIsAskedForAgain() {
        BackupSearch search = unknown();
        search.looked(A, Optional.empty());
        search.looked(C, Optional.empty());
        search.failed(B, 4);
        assertEquals(waits(14), search.next(5));
        assertEquals(List.of(), search.asks(13));
        assertEquals(List.of(B), search.asks(14));
        assertEquals(waits(5_000), search.next(14));
        search.looked(B, copy(3));
        assertEquals(fetch(B), search.next(15));
    }

    @Test
    void aDamagedCopyIsSkipped() {
        BackupSearch search = fetchingFromB();
        search.fetched(B, false);
        assertEquals(fetch(A), search.next(2));
    }

    @Test
    void aCopyThatDoesNotComeIsTriedAgain() {
        BackupSearch search = unknown();
        search.looked(A, Optional.empty());
        search.looked(B, copy(7));
        search.looked(C, Optional.empty());
        assertEquals(fetch(B), search.next(1));
        assertEquals(waits(Long.MAX_VALUE), search.next(2), "it is on its way");
        search.failed(B, 3);
        assertEquals(List.of(B), search.asks(13));
        search.looked(B, copy(7));
        assertEquals(fetch(B), search.next(14));
    }

    @Test
    void aHolderThatDiesWhileItSendsIsNotWaitedFor() {
        BackupSearch search = fetchingFromB();
        search.members(List.of(A, C), List.of(A, C));
        assertEquals(fetch(A), search.next(2));
    }

    @Test
    void theSearchEndsOnceAllMembersHaveNoCopy() {
        BackupSearch search = known(7);
        search.looked(A, Optional.empty());
        search.looked(B, Optional.empty());
        assertEquals(waits(5_000), search.next(1));
        search.looked(C, Optional.empty());
        assertEquals(NOTHING, search.next(2));
    }

    @Test
    void silentMembersAreWaitedForUntilThePatienceEnds() {
        BackupSearch search = unknown();
        assertEquals(waits(5_000), search.next(4_999));
        assertEquals(NOTHING, search.next(5_000));
    }

    @Test
    void theSearchDoesNotEndEarlyBeforeTheMembersAreKnown() {
        BackupSearch search = new BackupSearch(Optional.empty(), PATIENCE, 0);
        assertEquals(waits(5_000), search.next(0));
        assertEquals(NOTHING, search.next(5_000));
    }
}
