// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.display;

import dev.volary.cli.Style;
import java.io.PrintWriter;

/** Chooses the display that fits the options and the output. */
public final class Displays {
    private Displays() {}

    /** What the user asked for. */
    public enum Mode {
        /** Live on a terminal, plain lines elsewhere. */
        AUTOMATIC,
        /** Nothing but failures. */
        QUIET,
        /** JSON lines. */
        JSON
    }

    /**
     * A display.
     *
     * @param isTerminal whether a person watches {@code out}
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
