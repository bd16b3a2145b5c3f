package dev.volary.protocol.backup;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.volary.protocol.GroupTerm;
import dev.volary.protocol.HaloKey;
import dev.volary.protocol.Incarnation;
import dev.volary.protocol.KnownCopy;
import dev.volary.protocol.NodeId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CopySearchTest {
    private static final NodeId A = new NodeId(1);
    private static final NodeId B = new NodeId(2);
    private static final NodeId C = new NodeId(3);
    private static final List<NodeId> ALL = List.of(A, B, C);
    private static final Incarnation FIRST = new Incarnation(new GroupTerm(1, new NodeId(9)), 1);
    private static final Incarnation SECOND = new Incarnation(new GroupTerm(1, new NodeId(9)), 2);
    private static final CopySearch.Patience PATIENCE =
            new CopySearch.Patience(nanos(20), nanos(1_000), nanos(100), nanos(5_000), nanos(10));
    private static final CopySearch.Next NOTHING = new CopySearch.Next.Nothing();

    private static Duration nanos(long nanos) {
        return Duration.ofNanos(nanos);
    }

    private static Optional<HaloKey> copy(long iteration) {
        return Optional.of(new HaloKey(FIRST, 0, iteration));
    }

    private static CopySearch search(Optional<KnownCopy> known) {
        CopySearch search = new CopySearch(known, PATIENCE, 0);
        search.members(ALL, ALL);
        assertEquals(ALL, search.asks(0));
        assertEquals(List.of(), search.asks(0), "each is asked once");
        return search;
    }

    private static CopySearch unknown() {
        return search(Optional.empty());
    }

    private static CopySearch known(long iteration) {
        return search(Optional.of(new KnownCopy(0, FIRST, iteration)));
    }

    /** All have answered: the newest is on its way from B, an older one is with A. */
    private static CopySearch fetchingFromB() {
        CopySearch search = unknown();
        search.looked(A, copy(5));
        search.looked(B, copy(7));
        search.looked(C, Optional.empty());
        assertEquals(fetch(B), search.next(1));
        return search;
    }

    private static CopySearch.Next fetch(NodeId member) {
        return new CopySearch.Next.Fetch(member);
    }

    private static CopySearch.Next waits(long until) {
        return new CopySearch.Next.Wait(until);
    }

    @Test
    void theNewestOfAllIsFetched() {
        CopySearch search = unknown();
        search.looked(A, copy(5));
        search.looked(B, copy(7));
        assertEquals(waits(100), search.next(1), "the third may have a newer one");
        search.looked(C, Optional.empty());
        assertEquals(fetch(B), search.next(2));
        search.fetched(B, true);
        assertEquals(new CopySearch.Next.Done(), search.next(3));
    }

    @Test
    void whoeverFindsWhatIsKnownHardlyWaits() {
        CopySearch search = known(7);
        search.looked(A, copy(5));
        assertEquals(waits(1_000), search.next(500), "longer than if nothing were known");
        search.looked(B, copy(7));
        assertEquals(waits(521), search.next(501), "the third may have one that nobody has heard of");
        assertEquals(fetch(B), search.next(521));
    }

    @Test
    void whatNobodyHasHeardOfIsFoundIfItComesSoon() {
        CopySearch search = known(7);
        search.looked(B, copy(7));
        assertEquals(waits(25), search.next(5));
        search.looked(A, copy(9));
        assertEquals(waits(25), search.next(20), "not longer for that");
        search.looked(C, Optional.empty());
        assertEquals(fetch(A), search.next(21));
    }

    @Test
    void aNewerIncarnationCountsAsNewer() {
        CopySearch search = known(7);
        search.looked(A, Optional.of(new HaloKey(SECOND, 0, 2)));
        assertEquals(waits(21), search.next(1));
        assertEquals(fetch(A), search.next(21));
    }

    @Test
    void patienceEndsWithAnyCopy() {
        CopySearch search = unknown();
        search.looked(A, copy(5));
        assertEquals(fetch(A), search.next(100));
        CopySearch informed = known(7);
        informed.looked(A, copy(5));
        assertEquals(waits(1_000), informed.next(999));
        assertEquals(fetch(A), informed.next(1_000));
    }

    @Test
    void theGoneAreNotWaitedFor() {
        CopySearch search = known(7);
        search.looked(A, copy(5));
        search.looked(C, Optional.empty());
        search.members(List.of(A, C), List.of(A, C));
        assertEquals(fetch(A), search.next(1));
    }

    @Test
    void whoCannotBeReachedYetMayHaveTheNewest() {
        CopySearch search = new CopySearch(Optional.empty(), PATIENCE, 0);
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
        CopySearch search = unknown();
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
    void aDamagedCopyIsPassedOver() {
        CopySearch search = fetchingFromB();
        search.fetched(B, false);
        assertEquals(fetch(A), search.next(2));
    }

    @Test
    void aCopyThatDoesNotComeIsTriedAgain() {
        CopySearch search = unknown();
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
        CopySearch search = fetchingFromB();
        search.members(List.of(A, C), List.of(A, C));
        assertEquals(fetch(A), search.next(2));
    }

    @Test
    void thereIsNothingOnceAllHaveSaidSo() {
        CopySearch search = known(7);
        search.looked(A, Optional.empty());
        search.looked(B, Optional.empty());
        assertEquals(waits(5_000), search.next(1));
        search.looked(C, Optional.empty());
        assertEquals(NOTHING, search.next(2));
    }

    @Test
    void silenceIsBorneForAWhile() {
        CopySearch search = unknown();
        assertEquals(waits(5_000), search.next(4_999));
        assertEquals(NOTHING, search.next(5_000));
    }

    @Test
    void nobodyIsMissedBeforeItIsKnownWhoIsAlive() {
        CopySearch search = new CopySearch(Optional.empty(), PATIENCE, 0);
        assertEquals(waits(5_000), search.next(0));
        assertEquals(NOTHING, search.next(5_000));
    }
}
