// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a person sees of a transfer, with a clock that the test sets. */
class TransferDisplayTest {
    private static final long MIB = 1 << 20;

    private final StringWriter text = new StringWriter();
    private long now;

    @Test
    void aTerminalShowsShareRateAndTimeLeftInOneLine() {
        try (TransferDisplay display = display(TransferDisplay.Mode.LINE)) {
            display.at(0, 0);
            at(display, 1, 100 * MIB);
            at(display, 2, 150 * MIB);
            at(display, 2, 151 * MIB);
            at(display, 3, 200 * MIB);
        }
        assertEquals(
                List.of(
                        "",
                        "  listing the files of the result",
                        "  25 %, 100 MiB of 400 MiB",
                        "  37 %, 150 MiB of 400 MiB, 50.0 MiB/s, 5.0 s left",
                        "  50 %, 200 MiB of 400 MiB, 50.0 MiB/s, 4.0 s left",
                        ""),
                List.of(text.toString().replace("\u001b[K", "").split("\r", -1)));
    }

    @Test
    void theRateIsThatOfTheLastTenSeconds() {
        TransferDisplay display = display(TransferDisplay.Mode.LINE);
        at(display, 0, 0);
        at(display, 1, 200 * MIB);
        for (int second = 2; second <= 11; second++) {
            at(display, second, 200 * MIB);
        }
        text.getBuffer().setLength(0);
        at(display, 12, 200 * MIB);
        assertEquals("\r  50 %, 200 MiB of 400 MiB\u001b[K", text.toString());
    }

    @Test
    void aPipeShowsNothing() {
        try (TransferDisplay display = display(TransferDisplay.Mode.NONE)) {
            at(display, 1, 100 * MIB);
        }
        assertEquals("", text.toString());
    }

    @Test
    void theSummarySaysWhatWasHereBefore() {
        TransferDisplay display = display(TransferDisplay.Mode.NONE);
        at(display, 1, 100 * MIB);
        at(display, 5, 400 * MIB);
        assertEquals("300 MiB in 4.0 s, 75.0 MiB/s; 100 MiB were here from an earlier fetch", display.summary());
    }

    private TransferDisplay display(TransferDisplay.Mode mode) {
        return new TransferDisplay(new PrintWriter(text), mode, () -> now);
    }

    private void at(TransferDisplay display, int second, long bytes) {
        now = Duration.ofSeconds(second).toNanos();
        display.at(bytes, 400 * MIB);
    }
}
