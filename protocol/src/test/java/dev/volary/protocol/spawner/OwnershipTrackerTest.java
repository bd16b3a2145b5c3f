// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.spawner;

import static dev.volary.protocol.Samples.group;
import static dev.volary.protocol.Samples.messages;
import static dev.volary.protocol.Samples.receivers;
import static dev.volary.protocol.Samples.spawner;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.volary.protocol.machine.SpawnerTurn;
import dev.volary.protocol.message.TakeoverMessage;
import dev.volary.protocol.model.GroupTerm;
import dev.volary.protocol.model.Member;
import dev.volary.protocol.model.WorkerId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Spawner 3 in a ring of spawners 1 to 4; spawner 1 owns block 0 and spawner 3 owns block 1. */
class OwnershipTrackerTest {
    private static final Duration RETRY = Duration.ofMillis(200);
    private static final Duration PATIENCE = Duration.ofSeconds(4);
    private static final Member ONE = spawner(1);
    private static final Member TWO = spawner(2);
    private static final Member SELF = spawner(3);
    private static final Member FOUR = spawner(4);

    private final OwnershipTracker tracker = new OwnershipTracker(SELF, RETRY, PATIENCE);

    OwnershipTrackerTest() {
        tracker.planned(new TakeoverMessage.Plan(1, List.of(group(ONE, 1, 0), group(SELF, 1, 1))));
    }

    private List<WorkerId> ownersToReplace(boolean isCopied, boolean leads, long now, Member... living) {
        TreeSet<WorkerId> ids = new TreeSet<>();
        for (Member member : living) {
            ids.add(member.id());
        }
        return tracker.ownersToReplace(ids, id -> isCopied, leads, new SpawnerTurn(now));
    }

    private List<WorkerId> receiversAt(long now) {
        SpawnerTurn turn = new SpawnerTurn(now);
        tracker.tick(List.of(ONE, TWO), turn);
        return receivers(turn);
    }

    @Test
    void aClaimIsRepeatedUntilEverySpawnerHasAcknowledgedIt() {
        GroupTerm term = tracker.nextTerm();
        assertEquals(new GroupTerm(2, SELF.id()), term);
        tracker.claim(term, List.of(0, 1), 0);
        assertEquals(List.of(ONE.id(), TWO.id()), receiversAt(0));
        tracker.acknowledged(ONE.id(), term);
        tracker.acknowledged(TWO.id(), new GroupTerm(1, SELF.id()));
        assertEquals(List.of(), receiversAt(RETRY.toNanos() - 1));
        assertEquals(List.of(TWO.id()), receiversAt(RETRY.toNanos()), "the other one acknowledged an older claim");
        tracker.acknowledged(TWO.id(), term);
        assertEquals(List.of(), receiversAt(2 * RETRY.toNanos()));
    }

    @Test
    void aNewerClaimIsTakenAndAcknowledged() {
        SpawnerTurn turn = new SpawnerTurn(0);
        GroupTerm term = new GroupTerm(2, TWO.id());
        TakeoverMessage.OwnershipClaim claim = new TakeoverMessage.OwnershipClaim(term, TWO, List.of(0));
        assertEquals(List.of(0), tracker.claimed(TWO.id(), claim, turn));
        assertEquals(List.of(), tracker.claimed(TWO.id(), claim, turn), "the same claim again");
        assertEquals(
                List.of(new TakeoverMessage.OwnershipClaimAck(term), new TakeoverMessage.OwnershipClaimAck(term)),
                messages(turn));
        assertEquals(Optional.of(TWO), tracker.owners().ownerOf(0));
    }

    @Test
    void anOutdatedClaimIsAnsweredWithTheOwnOne() {
        tracker.claim(new GroupTerm(5, SELF.id()), List.of(0, 1), 0);
        SpawnerTurn turn = new SpawnerTurn(0);
        GroupTerm older = new GroupTerm(2, TWO.id());
        assertEquals(
                List.of(), tracker.claimed(TWO.id(), new TakeoverMessage.OwnershipClaim(older, TWO, List.of(0)), turn));
        assertEquals(
                new TakeoverMessage.OwnershipClaim(new GroupTerm(5, SELF.id()), SELF, List.of(0, 1)),
                messages(turn).getLast());
    }

    @Test
    void theFirstLivingSuccessorWithACopyTakesTheBlocksOverAtOnce() {
        assertEquals(List.of(), ownersToReplace(true, false, 0, ONE, TWO, FOUR));
        assertEquals(List.of(ONE.id()), ownersToReplace(true, false, 0, FOUR));
    }

    @Test
    void aLaterSuccessorWaitsForTheOneBeforeIt() {
        long wait = PATIENCE.toNanos() / 4;
        assertEquals(List.of(), ownersToReplace(true, false, 0, TWO, FOUR));
        assertEquals(List.of(), ownersToReplace(true, false, wait - 1, TWO, FOUR));
        assertEquals(List.of(ONE.id()), ownersToReplace(true, false, wait, TWO, FOUR));
    }

    @Test
    void withoutACopyTheFirstWaitsLongerAndTheOthersLeaveItToTheLeader() {
        long patience = PATIENCE.toNanos();
        assertEquals(List.of(), ownersToReplace(false, false, 0, FOUR));
        assertEquals(List.of(), ownersToReplace(false, false, 2 * patience - 1, FOUR));
        assertEquals(List.of(ONE.id()), ownersToReplace(false, false, 2 * patience, FOUR));
        assertEquals(List.of(), ownersToReplace(false, false, 100 * patience, TWO, FOUR));
        assertEquals(List.of(ONE.id()), ownersToReplace(false, true, 100 * patience, TWO, FOUR));
    }

    @Test
    void anOwnerThatComesBackStartsTheWaitAgain() {
        long wait = PATIENCE.toNanos() / 4;
        ownersToReplace(true, false, 0, TWO, FOUR);
        ownersToReplace(true, false, wait - 1, ONE, TWO, FOUR);
        assertEquals(List.of(), ownersToReplace(true, false, wait, TWO, FOUR));
    }
}
