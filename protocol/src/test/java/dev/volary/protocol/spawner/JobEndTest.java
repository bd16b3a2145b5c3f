// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.spawner;

import static dev.volary.protocol.Samples.messagesTo;
import static dev.volary.protocol.Samples.receivers;
import static dev.volary.protocol.spawner.SpawnerParts.DAEMON;
import static dev.volary.protocol.spawner.SpawnerParts.OTHER;
import static dev.volary.protocol.spawner.SpawnerParts.SECOND;
import static dev.volary.protocol.spawner.SpawnerParts.SELF;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.protocol.machine.JobOutcome;
import dev.volary.protocol.machine.SpawnerEvent;
import dev.volary.protocol.machine.SpawnerTurn;
import dev.volary.protocol.message.MembershipMessage;
import dev.volary.protocol.message.RegistrationMessage;
import dev.volary.protocol.message.Stop;
import dev.volary.protocol.message.ToSpawner;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class JobEndTest {
    private final SpawnerParts parts = new SpawnerParts();
    private final JobEnd end = new JobEnd(parts.spawners, parts.leadership, parts.members);
    private final SpawnerTurn turn = new SpawnerTurn(0);

    JobEndTest() {
        parts.join(DAEMON);
    }

    @Test
    void theGroupStopsWhenTheLeaderDoes() {
        parts.elect(OTHER);
        assertFalse(end.isOver());
        end.stop(new Stop(Optional.empty()), turn);
        assertTrue(end.isOver());
        assertEquals(List.of(DAEMON.id()), receivers(turn));
    }

    @Test
    void theLeaderStopsAllSpawnersAndNamesTheReason() {
        parts.elect(SELF);
        end.finish(new JobOutcome.Failed("diverged"), turn);
        Stop stop = new Stop(Optional.of("diverged"));
        assertEquals(List.of(stop), messagesTo(OTHER.id(), turn));
        assertEquals(List.of(stop), messagesTo(DAEMON.id(), turn));
        assertEquals(Optional.of(stop), end.stop());
    }

    @Test
    void lateMessagesAreAnsweredUnlessTheirSenderStopsAnyway() {
        end.stop(new Stop(Optional.empty()), new SpawnerTurn(0));
        answer(new Stop(Optional.empty()));
        answer(new RegistrationMessage.Evicted());
        answer(new MembershipMessage.Departing());
        assertEquals(List.of(), turn.actions());
        answer(new RegistrationMessage.Register(SECOND, Optional.empty()));
        assertEquals(List.of(new Stop(Optional.empty())), messagesTo(SECOND.id(), turn));
    }

    private void answer(ToSpawner message) {
        end.answer(new SpawnerEvent.Received(SECOND.id(), message), turn);
    }
}
