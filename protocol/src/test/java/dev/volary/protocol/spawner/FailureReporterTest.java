// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.spawner;

import static dev.volary.protocol.Samples.incarnation;
import static dev.volary.protocol.Samples.messagesTo;
import static dev.volary.protocol.spawner.SpawnerParts.CONFIG;
import static dev.volary.protocol.spawner.SpawnerParts.DAEMON;
import static dev.volary.protocol.spawner.SpawnerParts.OTHER;
import static dev.volary.protocol.spawner.SpawnerParts.SELF;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.protocol.Samples;
import dev.volary.protocol.directory.BlockDirectory;
import dev.volary.protocol.machine.SpawnerTurn;
import dev.volary.protocol.message.BlockMessage;
import dev.volary.protocol.message.Message;
import dev.volary.protocol.model.GroupTerm;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class FailureReporterTest {
    private static final GroupTerm TERM = new GroupTerm(1, SELF.id());
    private static final long RETRY = CONFIG.retry().toNanos();

    private final BlockDirectory directory = new BlockDirectory();
    private final FailureReporter reporter = new FailureReporter(directory, CONFIG.retry());

    private List<Message> messagesAt(long now) {
        SpawnerTurn turn = new SpawnerTurn(now);
        reporter.tick(Optional.of(OTHER.id()), turn);
        return messagesTo(OTHER.id(), turn);
    }

    private static BlockMessage.BlockFailed failure(int block, int counter, String reason) {
        return new BlockMessage.BlockFailed(block, incarnation(1, counter), reason, true);
    }

    @Test
    void theFirstFailureIsRepeated() {
        reporter.fail(0, TERM, "first", 0);
        reporter.fail(1, TERM, "second", 0);
        assertTrue(reporter.hasFailed());
        assertEquals(List.of(failure(0, 1, "first")), messagesAt(0));
        assertEquals(List.of(), messagesAt(RETRY - 1));
        assertEquals(List.of(failure(0, 1, "first")), messagesAt(RETRY));
    }

    @Test
    void itWaitsForALeader() {
        reporter.fail(0, TERM, "lost", 0);
        SpawnerTurn turn = new SpawnerTurn(0);
        reporter.tick(Optional.empty(), turn);
        assertEquals(List.of(), turn.actions());
        assertEquals(1, messagesAt(5).size());
    }

    @Test
    void itNamesTheNewestIncarnationOfTheBlock() {
        directory.merge(Samples.serves(DAEMON, 2, incarnation(1, 4)));
        reporter.fail(2, TERM, "lost", 0);
        assertEquals(List.of(failure(2, 4, "lost")), messagesAt(0));
    }
}
