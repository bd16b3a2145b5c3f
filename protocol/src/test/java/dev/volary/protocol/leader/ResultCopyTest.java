// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.leader;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.protocol.machine.JobEvent;
import dev.volary.protocol.machine.SpawnerAction;
import dev.volary.protocol.machine.SpawnerEvent;
import dev.volary.protocol.machine.SpawnerTurn;
import dev.volary.protocol.model.Address;
import dev.volary.protocol.model.Member;
import dev.volary.protocol.model.WorkerId;
import dev.volary.protocol.model.WorkerRole;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A leader with a complete result of snapshot 7, and two spawners that may take a copy. Times are in seconds. */
class ResultCopyTest {
    private static final long SID = 7;
    private static final Member NEXT = spawner(2);
    private static final Member LAST = spawner(3);

    private final ResultCopy copy = new ResultCopy(SID, Duration.ofSeconds(1), Duration.ofSeconds(60), 0);

    private static Member spawner(int id) {
        return new Member(new WorkerId(id), WorkerRole.SPAWNER, "s-" + id, new Address("virtual", id), "h", "z", 1, 0);
    }

    private static long seconds(long seconds) {
        return Duration.ofSeconds(seconds).toNanos();
    }

    /** The actions of one tick. */
    private List<SpawnerAction> tick(long second, boolean delivers, Member... others) {
        SpawnerTurn turn = new SpawnerTurn(seconds(second));
        assertEquals(delivers, copy.tick(List.of(others), turn), "delivers");
        return turn.actions();
    }

    @Test
    void theFirstSpawnerIsAskedOnceAndTheResultIsDeliveredWhenItHasACopy() {
        assertEquals(List.of(new SpawnerAction.CopyResult(SID, NEXT)), tick(0, false, NEXT, LAST));
        assertEquals(List.of(), tick(30, false, NEXT, LAST));
        SpawnerTurn turn = new SpawnerTurn(0);
        copy.copied(new SpawnerEvent.ResultCopied(SID, NEXT.id()), turn);
        assertEquals(List.of(new SpawnerAction.EmitEvent(new JobEvent.ResultCopied(NEXT.id()))), turn.actions());
        assertEquals(List.of(), tick(31, true, NEXT, LAST));
    }

    @Test
    void aCopyThatFailsIsTriedWithTheNextSpawnerAfterAPause() {
        tick(0, false, NEXT, LAST);
        copy.failed(new SpawnerEvent.ResultCopyFailed(SID, NEXT.id(), "its disk is full"), seconds(5));
        assertEquals(List.of(), tick(5, false, NEXT, LAST));
        assertEquals(List.of(new SpawnerAction.CopyResult(SID, LAST)), tick(6, false, NEXT, LAST));
        copy.failed(new SpawnerEvent.ResultCopyFailed(SID, LAST.id(), "refused"), seconds(6));
        assertEquals(List.of(new SpawnerAction.CopyResult(SID, NEXT)), tick(7, false, NEXT, LAST));
    }

    @Test
    void aSpawnerThatIsLostWhileItTakesACopyIsFollowedByAnother() {
        tick(0, false, NEXT, LAST);
        copy.lost(NEXT.id());
        assertEquals(List.of(new SpawnerAction.CopyResult(SID, LAST)), tick(1, false, LAST));
    }

    @Test
    void aCopyOfASpawnerThatWasLostMeanwhileDoesNotCount() {
        tick(0, false, NEXT, LAST);
        copy.lost(NEXT.id());
        copy.copied(new SpawnerEvent.ResultCopied(SID, NEXT.id()), new SpawnerTurn(0));
        assertEquals(List.of(new SpawnerAction.CopyResult(SID, LAST)), tick(1, false, LAST));
    }

    @Test
    void aReplacementThatComesInTimeIsAsked() {
        assertEquals(List.of(), tick(0, false));
        assertEquals(List.of(), tick(59, false));
        assertEquals(List.of(new SpawnerAction.CopyResult(SID, NEXT)), tick(59, false, NEXT));
    }

    @Test
    void aResultThatIsNotCopiedInTimeIsDeliveredWithAWarning() {
        tick(0, false, NEXT);
        copy.failed(new SpawnerEvent.ResultCopyFailed(SID, NEXT.id(), "its disk is full"), seconds(59));
        List<SpawnerAction> actions = tick(60, true, NEXT);
        assertEquals(1, actions.size());
        assertTrue(
                actions.getFirst() instanceof SpawnerAction.EmitEvent(JobEvent.ResultNotCopied(String reason))
                        && reason.contains("within 60 s")
                        && reason.contains("its disk is full"),
                () -> actions.toString());
    }

    @Test
    void aCopyThatTakesLongerThanThePatienceIsWaitedFor() {
        tick(0, false, NEXT);
        assertEquals(List.of(), tick(600, false, NEXT));
        assertFalse(copy.tick(List.of(NEXT), new SpawnerTurn(seconds(601))));
    }
}
