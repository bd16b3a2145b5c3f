// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.display;

import dev.volary.cli.console.Style;
import java.io.PrintWriter;

/**
 * Shows the progress of a run. Called by one thread at a time. {@link #close} restores the terminal; it may be called at any
 * time, twice, and without {@link #finish}.
 */
public interface Display extends AutoCloseable {

    /** Shows the current state; called a few times a second, and once after the last event. */
    void update(JobView view);

    /** Shows how the run ended. */
    void finish(Summary summary);

    @Override
    void close();

    /** The requested form of output. */
    enum Mode {
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
    static Display choose(Mode mode, boolean isTerminal, Style style, PrintWriter out, PrintWriter err) {
        return switch (mode) {
            case QUIET -> new QuietDisplay(err);
            case JSON -> new JsonDisplay(out);
            case AUTOMATIC -> isTerminal ? new LiveDisplay(out, style, new SttySize()) : new PlainDisplay(out);
        };
    }
}
