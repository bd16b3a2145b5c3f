// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.result;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunMarksTest {
    @TempDir
    Path folder = Path.of("");

    @Test
    void failuresAndStepsHaveTheirTimesSinceAllBlocksIterated() throws IOException {
        Path file = folder.resolve("events.jsonl");
        Files.writeString(file, """
                {"time":"2026-01-01T10:00:00Z","type":"worker-ended","worker":"daemon-9","status":1,"provoked":false,"evicted":false}
                {"time":"2026-01-01T10:00:01Z","type":"all-iterating"}
                {"time":"2026-01-01T10:00:02.5Z","type":"fault-injected","worker":"daemon-0","pid":7,"fault":"kill"}
                {"time":"2026-01-01T10:00:02.6Z","type":"worker-ended","worker":"daemon-0","status":137,"provoked":true,"evicted":false}
                {"time":"2026-01-01T10:00:03Z","type":"daemon-lost","daemon":"daemon-0","blocks":[1,2]}
                {"time":"2026-01-01T10:00:04Z","type":"worker-ended","worker":"daemon-1","status":137,"provoked":false,"evicted":false}
                {"time":"2026-01-01T10:00:04Z","type":"worker-ended","worker":"daemon-2","status":75,"provoked":false,"evicted":true}
                {"time":"2026-01-01T10:00:05Z","type":"all-iterating"}
                {"time":"2026-01-01T10:00:06Z","type":"step-committed","step":1,"steps":2,"snapshot":5,"residual":1e-9}
                {"time":"2026-01-01T10:00:07Z","type":"worker-ended","worker":"daemon-3","status":0,"provoked":false,"evicted":false}
                {"time":"2026-01-01T10:0""");
        assertEquals(
                new RunMarks(List.of(Duration.ofMillis(1500), Duration.ofSeconds(3)), List.of(Duration.ofSeconds(5))),
                RunMarks.read(file));
    }
}
