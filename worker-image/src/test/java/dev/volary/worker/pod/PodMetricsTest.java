// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.pod;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.protocol.machine.JobEvent;
import dev.volary.protocol.model.FailureVerdict;
import dev.volary.protocol.model.WorkerId;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class PodMetricsTest {
    private static final WorkerId DAEMON = new WorkerId(7);

    private final PodMetrics metrics = new PodMetrics();

    @Test
    void blocksOfALeavingDaemonAreCountedOnceIfItIsThenDeclaredDead() throws IOException {
        metrics.event(new JobEvent.DaemonLeaving(DAEMON, List.of(1, 2)));
        metrics.event(new JobEvent.DaemonLost(DAEMON, FailureVerdict.Cause.LEFT, 0, List.of()));
        assertShows("volary_replacements_total{cause=\"left\"} 2.0");
        assertShows("volary_replacements_total{cause=\"dead\"} 0.0");
    }

    @Test
    void blocksOfADaemonThatIsDeclaredDeadAreCounted() throws IOException {
        metrics.event(new JobEvent.DaemonLost(DAEMON, FailureVerdict.Cause.DEAD, 2_000_000_000L, List.of(3)));
        assertShows("volary_replacements_total{cause=\"dead\"} 1.0");
    }

    @Test
    void refusedMessagesAreCounted() throws IOException {
        assertShows("volary_refused_messages_total 0.0");
        metrics.messageRefused();
        metrics.messageRefused();
        assertShows("volary_refused_messages_total 2.0");
    }

    private void assertShows(String series) throws IOException {
        ByteArrayOutputStream page = new ByteArrayOutputStream();
        metrics.write(page);
        String text = page.toString(StandardCharsets.UTF_8);
        assertTrue(text.lines().anyMatch(series::equals), text);
    }
}
