// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.display;

import dev.volary.cli.Style;
import java.io.PrintWriter;

/** Chooses the display that fits the options and the output. */
public final class Displays {
    private Displays() {}

    /** The requested form of output. */
    public enum Mode {
        /** Live on a terminal, plain lines elsewhere. */
        AUTOMATIC,
        /** Only failures. */
        QUIET,
        /** JSON lines. */
        JSON
    }

    /**
     * Creates a display.
     *
     * @param isTerminal whether {@code out} is a terminal
     * @param out standard output
     * @param err standard error
     */
    public static Display choose(Mode mode, boolean isTerminal, Style style, PrintWriter out, PrintWriter err) {
        return switch (mode) {
            case QUIET -> new QuietDisplay(err);
            case JSON -> new JsonDisplay(out);
            case AUTOMATIC -> isTerminal ? new LiveDisplay(out, style, new SttySize()) : new PlainDisplay(out);
        };
    }
}
