// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.display;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Reads the size of the terminal with {@code stty}, at most every two seconds. The JDK has no call for it. */
final class SttySize implements TerminalSize.Source {
    private static final Duration LIFETIME = Duration.ofSeconds(2);

    private TerminalSize known = TerminalSize.DEFAULT;
    private long validUntil = System.nanoTime();

    @Override
    public TerminalSize now() {
        if (System.nanoTime() - validUntil >= 0) {
            known = ask(known);
            validUntil = System.nanoTime() + LIFETIME.toNanos();
        }
        return known;
    }

    private static TerminalSize ask(TerminalSize before) {
        try {
            Process stty = new ProcessBuilder("stty", "size")
                    .redirectInput(new File("/dev/tty"))
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            try (InputStream output = stty.getInputStream()) {
                String text = new String(output.readNBytes(64), StandardCharsets.US_ASCII).strip();
                stty.waitFor(1, TimeUnit.SECONDS);
                return parse(text, before);
            }
        } catch (IOException noStty) {
            return before;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return before;
        }
    }

    /** Parses {@code "24 80"}; any other text, including zeros, keeps the size unchanged. */
    static TerminalSize parse(String text, TerminalSize before) {
        if (!text.matches("[1-9]\\d{0,4} [1-9]\\d{0,4}")) {
            return before;
        }
        int space = text.indexOf(' ');
        return new TerminalSize(
                Integer.parseInt(text.substring(space + 1)), Integer.parseInt(text.substring(0, space)));
    }
}
