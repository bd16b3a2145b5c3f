// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.leader;

import static dev.volary.protocol.Samples.messagesTo;
import static dev.volary.protocol.Samples.receivers;
import static dev.volary.protocol.Samples.spawner;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.protocol.log.LogReplica;
import dev.volary.protocol.machine.JobEvent;
import dev.volary.protocol.machine.LeaderElectionRecord;
import dev.volary.protocol.machine.SpawnerAction;
import dev.volary.protocol.machine.SpawnerTurn;
import dev.volary.protocol.message.LogEntry;
import dev.volary.protocol.message.LogMessage;
import dev.volary.protocol.model.Member;
import dev.volary.protocol.model.WorkerId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Spawner 3 stands for election beside spawners 1 and 2. */
class LeaderElectionTest {
    private static final Duration RETRY = Duration.ofMillis(200);
    private static final Duration WINDOW = Duration.ofSeconds(4);
    private static final Member ONE = spawner(1);
    private static final Member TWO = spawner(2);
    private static final Member SELF = spawner(3);
    private static final LogEntry DECISION = new LogEntry.ResultComplete(1);

    private final LeaderElection election = new LeaderElection(SELF.id(), RETRY, WINDOW, new LogReplica());

    LeaderElectionTest() {
        election.found(List.of(ONE, TWO, SELF), new SpawnerTurn(0));
    }

    private static LeaderElectionRecord led(Member leader, long term, Member... log) {
        return new LeaderElectionRecord(
                Optional.of(leader.id()),
                term,
                List.of(log).stream().map(Member::id).toList());
    }

    private SpawnerTurn answered(LeaderElectionRecord record, long now) {
        SpawnerTurn turn = new SpawnerTurn(now);
        election.answered(record, turn);
        return turn;
    }

    private SpawnerTurn tick(boolean orphans, long now) {
        SpawnerTurn turn = new SpawnerTurn(now);
        election.tick(orphans, turn);
        return turn;
    }

    private static List<SpawnerAction> claims(SpawnerTurn turn) {
        return turn.actions().stream()
                .filter(SpawnerAction.CompareAndSet.class::isInstance)
                .toList();
    }

    /** Spawner 1 led in term 1 and is lost; its log is also at these members. */
    private SpawnerTurn loseTheLeader(Member... log) {
        answered(led(ONE, 1, log), 0);
        election.lost(ONE.id(), new SpawnerTurn(0));
        return answered(led(ONE, 1, log), 0);
    }

    @Test
    void anEmptyRecordIsClaimedWithACompareAndSet() {
        SpawnerTurn turn = answered(LeaderElectionRecord.EMPTY, 0);
        assertEquals(
                List.of(new SpawnerAction.CompareAndSet(LeaderElectionRecord.EMPTY, led(SELF, 1, SELF, ONE, TWO))),
                claims(turn));
        assertFalse(election.leads(), "the arbiter has not answered");
        assertTrue(election.isFirstLeader());
        SpawnerTurn won = answered(led(SELF, 1, SELF, ONE, TWO), 0);
        assertTrue(election.leads());
        assertEquals(List.of(new SpawnerAction.EmitEvent(new JobEvent.LeaderElected(SELF.id(), 1))), won.actions());
    }

    @Test
    void aSpawnerWhoseCompareAndSetLostFollowsTheWinner() {
        answered(LeaderElectionRecord.EMPTY, 0);
        assertEquals(List.of(), answered(led(ONE, 1, ONE), 0).actions());
        assertFalse(election.leads());
        assertEquals(Optional.of(ONE.id()), election.leader());
    }

    @Test
    void theArbiterIsAskedAgainAfterTheRetryPeriodUntilThereIsALeader() {
        List<SpawnerAction> read = List.of(new SpawnerAction.ReadArbiter());
        assertEquals(List.of(), tick(false, RETRY.toNanos() - 1).actions());
        assertEquals(read, tick(false, RETRY.toNanos()).actions());
        assertEquals(read, tick(false, 2 * RETRY.toNanos()).actions());
        answered(led(ONE, 1, ONE), 2 * RETRY.toNanos());
        assertEquals(List.of(), tick(false, 9 * RETRY.toNanos()).actions());
    }

    @Test
    void theRecordOfAnOlderTermIsIgnored() {
        answered(led(TWO, 2, TWO), 0);
        assertEquals(List.of(), answered(led(ONE, 1, ONE), 0).actions());
        assertEquals(Optional.of(TWO.id()), election.leader());
        assertEquals(2, election.term());
    }

    @Test
    void theLossOfAnotherSpawnerIsNoReasonToStand() {
        answered(led(ONE, 1, ONE), 0);
        SpawnerTurn turn = new SpawnerTurn(0);
        election.lost(TWO.id(), turn);
        assertEquals(List.of(), turn.actions());
    }

    @Test
    void aMemberOfTheOldLogClaimsTheNextTermWithTheMembersThatAreLeft() {
        assertEquals(
                List.of(new SpawnerAction.CompareAndSet(led(ONE, 1, ONE, SELF), led(SELF, 2, SELF))),
                claims(loseTheLeader(ONE, SELF)));
    }

    @Test
    void aSpawnerOutsideTheLogNeedsThePromiseOfAMemberFirst() {
        SpawnerTurn turn = loseTheLeader(ONE, TWO);
        assertEquals(List.of(), claims(turn));
        assertEquals(List.of(ONE.id(), TWO.id()), receivers(turn));
        assertEquals(List.of(new LogMessage.Prepare(2)), messagesTo(TWO.id(), turn));
        SpawnerTurn promised = new SpawnerTurn(0);
        election.promised(TWO.id(), new LogMessage.Promise(2, List.of(DECISION)), promised);
        assertEquals(
                List.of(new SpawnerAction.CompareAndSet(led(ONE, 1, ONE, TWO), led(SELF, 2, TWO))), claims(promised));
        assertEquals(List.of(DECISION), election.inheritedEntries());
    }

    @Test
    void aPromiseForAnotherTermOrFromANonMemberIsIgnored() {
        loseTheLeader(ONE, TWO);
        SpawnerTurn turn = new SpawnerTurn(0);
        election.promised(TWO.id(), new LogMessage.Promise(1, List.of(DECISION)), turn);
        election.promised(new WorkerId(9), new LogMessage.Promise(2, List.of(DECISION)), turn);
        assertEquals(List.of(), claims(turn));
    }

    @Test
    void aLostLogIsGivenUpOnlyAfterTheWindowAndOnlyForDaemonsWithoutASpawner() {
        loseTheLeader(ONE, TWO);
        assertEquals(List.of(), claims(answered(led(ONE, 1, ONE, TWO), WINDOW.toNanos())), "no daemon needs a leader");
        tick(true, WINDOW.toNanos());
        assertEquals(List.of(), claims(answered(led(ONE, 1, ONE, TWO), WINDOW.toNanos() - 1)));
        assertEquals(
                List.of(new SpawnerAction.CompareAndSet(led(ONE, 1, ONE, TWO), led(SELF, 2, SELF))),
                claims(answered(led(ONE, 1, ONE, TWO), WINDOW.toNanos())));
    }

    @Test
    void aLeaderWhoseLogPromisedANewerTermStandsAgain() {
        answered(led(SELF, 1, SELF), 0);
        SpawnerTurn turn = new SpawnerTurn(0);
        election.superseded(1, turn);
        assertEquals(List.of(), turn.actions(), "its own term");
        election.superseded(2, turn);
        assertEquals(List.of(new SpawnerAction.ReadArbiter()), turn.actions());
    }
}
