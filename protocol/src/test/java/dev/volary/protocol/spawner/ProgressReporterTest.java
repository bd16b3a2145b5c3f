// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.spawner;

import static dev.volary.protocol.Samples.messagesTo;
import static dev.volary.protocol.spawner.SpawnerParts.CONFIG;
import static dev.volary.protocol.spawner.SpawnerParts.DAEMON;
import static dev.volary.protocol.spawner.SpawnerParts.OTHER;
import static dev.volary.protocol.spawner.SpawnerParts.SELF;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.volary.protocol.machine.SpawnerTurn;
import dev.volary.protocol.message.Message;
import dev.volary.protocol.message.ProgressMessage;
import dev.volary.protocol.model.GroupTerm;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ProgressReporterTest {
    private final SpawnerParts parts = new SpawnerParts();

    private List<Message> messagesAt(long now) {
        SpawnerTurn turn = new SpawnerTurn(now);
        parts.reporter.tick(Optional.of(OTHER.id()), turn);
        return messagesTo(OTHER.id(), turn);
    }

    @Test
    void beforeThePlanItReportsTheDaemons() {
        parts.join(DAEMON);
        assertEquals(List.of(new ProgressMessage.GroupReport(SELF, List.of(DAEMON), List.of())), messagesAt(0));
        assertEquals(List.of(), messagesAt(CONFIG.retry().toNanos() - 1));
        assertEquals(1, messagesAt(2 * CONFIG.retry().toNanos()).size());
    }

    @Test
    void afterThePlanItReportsTheirProgressOnceAPeriod() {
        parts.plan();
        ProgressMessage.DaemonReport report = SpawnerParts.report(DAEMON, 1, 0, 1);
        parts.members.report(report);
        long period = CONFIG.reportPeriod().toNanos();
        Message progress = new ProgressMessage.GroupProgress(new GroupTerm(1, SELF.id()), List.of(report));
        assertEquals(List.of(progress), messagesAt(0));
        assertEquals(List.of(), messagesAt(period - 1));
        assertEquals(List.of(progress), messagesAt(period));
    }

    @Test
    void newsAreReportedAtOnce() {
        assertEquals(1, messagesAt(0).size());
        assertEquals(List.of(), messagesAt(1));
        parts.reporter.reportNow(2);
        assertEquals(1, messagesAt(2).size());
    }

    @Test
    void withoutALeaderItDoesNotReport() {
        SpawnerTurn turn = new SpawnerTurn(0);
        parts.reporter.tick(Optional.empty(), turn);
        assertEquals(List.of(), turn.actions());
    }
}
