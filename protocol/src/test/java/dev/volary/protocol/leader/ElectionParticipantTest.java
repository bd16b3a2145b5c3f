// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.leader;

import static dev.volary.protocol.Samples.messages;
import static dev.volary.protocol.Samples.spawner;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.protocol.config.RecoveryPolicy;
import dev.volary.protocol.config.SpawnerConfig;
import dev.volary.protocol.machine.LeaderElectionRecord;
import dev.volary.protocol.machine.SpawnerAction;
import dev.volary.protocol.machine.SpawnerTurn;
import dev.volary.protocol.message.LogEntry;
import dev.volary.protocol.message.LogMessage;
import dev.volary.protocol.model.Member;
import dev.volary.protocol.model.WorkerId;
import java.time.Duration;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Spawner 2 beside spawner 1. */
class ElectionParticipantTest {
    private static final Member OTHER = spawner(1);
    private static final Member SELF = spawner(2);
    private static final SpawnerConfig CONFIG =
            SpawnerConfig.of(1, 2, 1, Duration.ofSeconds(10), Optional.empty(), RecoveryPolicy.STANDARD);
    private static final long WINDOW = 2 * CONFIG.watch().timeout().toNanos();

    private final ElectionParticipant participant = new ElectionParticipant(SELF.id(), CONFIG);

    private static NavigableSet<WorkerId> ids(long... values) {
        NavigableSet<WorkerId> ids = new TreeSet<>();
        for (long value : values) {
            ids.add(new WorkerId(value));
        }
        return ids;
    }

    private static LeaderElectionRecord led(Member leader, long term, Member log) {
        return new LeaderElectionRecord(Optional.of(leader.id()), term, List.of(log.id()));
    }

    private boolean answered(LeaderElectionRecord record) {
        return participant.answered(record, new SpawnerTurn(0));
    }

    private SpawnerTurn tick(NavigableSet<WorkerId> others, long now) {
        SpawnerTurn turn = new SpawnerTurn(now);
        participant.tick(others, false, turn);
        return turn;
    }

    @Test
    void onlyTheLeaderWritesTheLog() {
        assertTrue(answered(led(SELF, 1, SELF)));
        assertTrue(participant.log().isPresent());
        assertFalse(answered(led(SELF, 1, SELF)), "the same term again");
        assertTrue(answered(led(OTHER, 2, OTHER)));
        assertTrue(participant.log().isEmpty(), "it is deposed");
        assertEquals(Optional.of(OTHER.id()), participant.leader());
    }

    @Test
    void everySpawnerKeepsACopyOfTheLeadersLog() {
        answered(led(OTHER, 1, OTHER));
        SpawnerTurn turn = new SpawnerTurn(0);
        LogEntry decision = new LogEntry.ResultComplete(1);
        participant.received(OTHER.id(), new LogMessage.Append(1, 0, 1, List.of(decision)), turn);
        participant.received(OTHER.id(), new LogMessage.Prepare(2), turn);
        assertEquals(
                List.of(new LogMessage.AppendAck(1, 1), new LogMessage.Promise(2, List.of(decision))), messages(turn));
    }

    @Test
    void aRejectedLeaderStandsAgain() {
        answered(led(SELF, 1, SELF));
        SpawnerTurn turn = new SpawnerTurn(0);
        participant.received(OTHER.id(), new LogMessage.PrepareRejected(2), turn);
        assertTrue(participant.log().orElseThrow().isDeposed());
        assertEquals(List.of(new SpawnerAction.ReadArbiter()), turn.actions());
    }

    @Test
    void aLeaderThatDoesNotAppearWithinTheWindowCountsAsLost() {
        answered(led(OTHER, 1, OTHER));
        assertEquals(WINDOW, tick(ids(), 0).wakeUp());
        assertEquals(List.of(), tick(ids(), WINDOW - 1).actions());
        assertEquals(
                List.of(new SpawnerAction.ReadArbiter()), tick(ids(), WINDOW).actions());
    }

    @Test
    void aLeaderThatAppearsInTimeStays() {
        answered(led(OTHER, 1, OTHER));
        tick(ids(), 0);
        tick(ids(1), WINDOW - 1);
        assertEquals(List.of(), tick(ids(), WINDOW).actions(), "the window begins again");
    }

    @Test
    void theSuccessorsOfASpawnerFollowTheRing() {
        assertEquals(
                List.of(new WorkerId(5), new WorkerId(7), new WorkerId(1)),
                ElectionParticipant.successors(new WorkerId(3), ids(1, 5, 7)));
    }
}
