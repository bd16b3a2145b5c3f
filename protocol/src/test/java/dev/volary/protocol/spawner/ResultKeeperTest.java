// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.spawner;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.protocol.model.Address;
import dev.volary.protocol.model.Member;
import dev.volary.protocol.model.WorkerId;
import dev.volary.protocol.model.WorkerRole;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A holder of a result that two spawners shall hold; it waits 3 s for a silent one, and 1 s after a failure. Times are in seconds. */
class ResultKeeperTest {
    private static final Member SELF = spawner(1, "a");
    private static final Member OTHER = spawner(2, "b");
    private static final Member NEAR = spawner(3, "a");
    private static final Member FAR = spawner(4, "c");

    private final ResultKeeper keeper = keeper(2);

    private static ResultKeeper keeper(int copies) {
        return new ResultKeeper(SELF, copies, Duration.ofSeconds(1), Duration.ofSeconds(3), 0);
    }

    private static Member spawner(int id, String host) {
        return new Member(new WorkerId(id), WorkerRole.SPAWNER, "s-" + id, new Address("virtual", id), host, "z", 1, 0);
    }

    private static long seconds(long seconds) {
        return Duration.ofSeconds(seconds).toNanos();
    }

    private static ResultKeeper.Seen holder(Member spawner) {
        return new ResultKeeper.Seen(spawner, true, false);
    }

    private static ResultKeeper.Seen lacks(Member spawner) {
        return new ResultKeeper.Seen(spawner, false, false);
    }

    private static ResultKeeper.Seen leaving(Member spawner, boolean holds) {
        return new ResultKeeper.Seen(spawner, holds, true);
    }

    private void seen(long second, ResultKeeper.Seen... others) {
        keeper.seen(List.of(others), seconds(second), seconds(second));
    }

    private Optional<Member> next(long second) {
        return keeper.nextCopy(seconds(second));
    }

    @Test
    void nothingIsCopiedWhileAnotherSpawnerHoldsTheResult() {
        seen(0, holder(OTHER), lacks(FAR));
        assertEquals(Optional.empty(), next(10));
        assertTrue(keeper.isHeldElsewhere());
    }

    @Test
    void aLostHolderIsReplacedByASpawnerOnAnotherMachine() {
        seen(0, holder(OTHER));
        seen(10, lacks(NEAR), lacks(FAR));
        assertFalse(keeper.isHeldElsewhere());
        assertEquals(Optional.empty(), next(12)); // it may have been silent for a moment only
        assertEquals(Optional.of(FAR), next(13));
        assertEquals(Optional.empty(), next(20)); // it has not said yet what became of the copy
        keeper.copied(FAR.id());
        assertTrue(keeper.isHeldElsewhere());
        assertEquals(Optional.empty(), next(21));
    }

    @Test
    void aHolderThatAnswersAgainMakesTheCopyUnnecessary() {
        seen(0, holder(OTHER), lacks(FAR));
        seen(1, lacks(FAR));
        seen(3, holder(OTHER), lacks(FAR));
        seen(4, lacks(FAR));
        assertEquals(Optional.empty(), next(5));
        assertEquals(Optional.of(FAR), next(7));
    }

    @Test
    void aCopyThatFailsIsTriedWithTheNextSpawnerAfterAPause() {
        seen(0, lacks(NEAR), lacks(FAR));
        assertEquals(Optional.of(FAR), next(3));
        keeper.failed(seconds(4));
        assertEquals(Optional.empty(), next(4));
        assertEquals(Optional.of(NEAR), next(5));
        keeper.failed(seconds(5));
        assertEquals(Optional.of(FAR), next(6));
    }

    @Test
    void anotherHolderThatLeavesCountsNoMore() {
        seen(0, leaving(OTHER, true), lacks(FAR));
        assertFalse(keeper.isHeldElsewhere());
        assertEquals(Optional.of(FAR), next(3));
    }

    @Test
    void aSpawnerThatLeavesGetsNoCopy() {
        seen(0, leaving(OTHER, false));
        assertEquals(Optional.empty(), next(10));
    }

    @Test
    void aHolderThatLeavesCopiesAtOnceUnlessAnotherOneHoldsTheResult() {
        seen(0, holder(OTHER), lacks(FAR));
        keeper.leave(seconds(0));
        assertFalse(keeper.isHeldElsewhere()); // the other one may leave as well
        assertEquals(Optional.empty(), next(0));
        seen(1, holder(OTHER), lacks(FAR));
        assertEquals(Optional.empty(), next(1));
        assertTrue(keeper.isHeldElsewhere());
        seen(1, leaving(OTHER, true), lacks(FAR));
        assertEquals(Optional.of(FAR), next(1));
        keeper.copied(FAR.id());
        assertTrue(keeper.isHeldElsewhere());
    }

    @Test
    void anAnswerToAQuestionFromBeforeItLeftIsIgnored() {
        keeper.leave(seconds(5));
        keeper.seen(List.of(holder(OTHER)), seconds(4), seconds(6));
        assertFalse(keeper.isHeldElsewhere());
        keeper.seen(List.of(holder(OTHER)), seconds(6), seconds(7));
        assertTrue(keeper.isHeldElsewhere());
    }

    @Test
    void theOnlyCopyOfAJobWithOneSpawnerIsHandedOverWhenItLeaves() {
        ResultKeeper only = keeper(1);
        only.seen(List.of(lacks(FAR)), 0, 0);
        assertEquals(Optional.empty(), only.nextCopy(seconds(10)));
        only.leave(seconds(10));
        only.seen(List.of(lacks(FAR)), seconds(10), seconds(10));
        assertEquals(Optional.of(FAR), only.nextCopy(seconds(10)));
    }
}
