// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.leader;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.volary.protocol.machine.SpawnerAction;
import dev.volary.protocol.machine.SpawnerEvent;
import dev.volary.protocol.machine.SpawnerTurn;
import dev.volary.protocol.message.SnapshotMessage;
import dev.volary.protocol.model.Address;
import dev.volary.protocol.model.GroupTerm;
import dev.volary.protocol.model.Incarnation;
import dev.volary.protocol.model.Member;
import dev.volary.protocol.model.RecordedBlock;
import dev.volary.protocol.model.WorkerId;
import dev.volary.protocol.model.WorkerRole;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A leader that knows where the parts of a committed step were brought, and spawners that may be replaced. Times are in seconds. */
class PartCopiesTest {
    private static final Member SELF = spawner(1);
    private static final Member NEXT = spawner(2);
    private static final Member LAST = spawner(3);
    private static final PartCopies.Stored STEP = stored(7);

    private final PartCopies copies = new PartCopies(SELF, Duration.ofMillis(200));

    private static Member spawner(int id) {
        return new Member(new WorkerId(id), WorkerRole.SPAWNER, "s-" + id, new Address("virtual", id), "h", "z", 1, 0);
    }

    private static PartCopies.Stored stored(long sid) {
        RecordedBlock block = new RecordedBlock(0, new Incarnation(new GroupTerm(1, new WorkerId(1)), 1), 12);
        return new PartCopies.Stored(sid, List.of(new SnapshotMessage.StoredPart(block, 99)));
    }

    private static SpawnerAction asks(PartCopies.Stored of, Member by) {
        return new SpawnerAction.HoldParts(of.sid(), of.parts(), by);
    }

    private List<SpawnerAction> tick(double second, PartCopies.Stored newest, Member... others) {
        SpawnerTurn turn = new SpawnerTurn((long) (second * 1e9));
        copies.tick(newest, List.of(others), turn);
        return turn.actions();
    }

    private void held(Member by) {
        copies.held(new SpawnerEvent.PartsHeld(STEP.sid(), by.id()));
    }

    private void bothHold() {
        tick(0, STEP, NEXT, LAST);
        tick(1, STEP, NEXT, LAST);
        held(SELF);
        held(NEXT);
    }

    @Test
    void theLeaderAndAnotherSpawnerAreAskedOnceWhenTheStepHasLastedForASecond() {
        assertEquals(List.of(), tick(0, STEP, NEXT, LAST));
        assertEquals(List.of(), tick(0.9, STEP, NEXT, LAST));
        assertEquals(List.of(asks(STEP, SELF), asks(STEP, NEXT)), tick(1, STEP, NEXT, LAST));
        assertEquals(List.of(), tick(30, STEP, NEXT, LAST));
    }

    @Test
    void aStepThatIsOverSoonerIsNotCopied() {
        tick(0, STEP, NEXT);
        assertEquals(List.of(), tick(0.9, stored(8), NEXT));
        assertEquals(List.of(), tick(1.8, stored(9), NEXT));
        assertEquals(List.of(asks(stored(9), SELF), asks(stored(9), NEXT)), tick(2.8, stored(9), NEXT));
    }

    @Test
    void aSpawnerThatIsLostIsFollowedByAnotherAtOnce() {
        bothHold();
        assertEquals(List.of(), tick(20, STEP, NEXT, LAST));
        copies.lost(NEXT.id());
        assertEquals(List.of(asks(STEP, LAST)), tick(20, STEP, LAST));
    }

    @Test
    void aReplacementIsAskedWhenItComes() {
        bothHold();
        copies.lost(NEXT.id());
        assertEquals(List.of(), tick(20, STEP));
        assertEquals(List.of(asks(STEP, LAST)), tick(40, STEP, LAST));
    }

    @Test
    void aSpawnerThatHoldsThePartsIsEnoughThoughAnotherOneIsPreferred() {
        bothHold();
        assertEquals(List.of(), tick(20, STEP, LAST, NEXT));
    }

    @Test
    void aFailureIsFollowedByTheNextSpawnerAfterAPause() {
        tick(0, STEP, NEXT, LAST);
        tick(1, STEP, NEXT, LAST);
        copies.failed(new SpawnerEvent.PartsNotHeld(STEP.sid(), NEXT.id(), "its disk is full"), 5_000_000_000L);
        assertEquals(List.of(), tick(5.9, STEP, NEXT, LAST));
        assertEquals(List.of(asks(STEP, LAST)), tick(6, STEP, NEXT, LAST));
    }

    @Test
    void whatASpawnerSaysOfAnEarlierStepDoesNotCount() {
        tick(0, STEP, NEXT);
        tick(1, STEP, NEXT);
        tick(2, stored(8), NEXT);
        held(NEXT);
        held(SELF);
        assertEquals(List.of(asks(stored(8), SELF), asks(stored(8), NEXT)), tick(3, stored(8), NEXT));
    }

    @Test
    void whatALostSpawnerHadDoesNotCountThoughItsAnswerIsLate() {
        tick(0, STEP, NEXT, LAST);
        tick(1, STEP, NEXT, LAST);
        copies.lost(NEXT.id());
        held(NEXT);
        assertEquals(List.of(asks(STEP, LAST)), tick(2, STEP, LAST));
    }
}
