// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.display;

import dev.volary.cli.console.Style;
import java.io.PrintWriter;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * Redraws a few lines of the terminal in place. To avoid flicker, a frame is one write between the escape sequences of a
 * synchronized update, and lines are overwritten instead of cleared.
 */
final class LiveDisplay implements Display {
    private static final String ESC = "\u001b[";
    private static final String HIDE_CURSOR = ESC + "?25l";
    private static final String SHOW_CURSOR = ESC + "?25h";
    private static final String NO_WRAP = ESC + "?7l";
    private static final String WRAP = ESC + "?7h";
    private static final String BEGIN_UPDATE = ESC + "?2026h";
    private static final String END_UPDATE = ESC + "?2026l";
    private static final String CLEAR_TO_END_OF_LINE = ESC + "K";
    private static final String CLEAR_BELOW = ESC + "J";

    private final PrintWriter out;
    private final Style style;
    private final TerminalSize.Source size;
    private final Deque<JobView.JobEvent> latest = new ArrayDeque<>();
    private int drawn;
    private boolean isOpen;

    LiveDisplay(PrintWriter out, Style style, TerminalSize.Source size) {
        this.out = out;
        this.style = style;
        this.size = size;
    }

    @Override
    public void update(JobView view) {
        for (JobView.JobEvent event : view.events()) {
            latest.addLast(event);
            if (latest.size() > LiveFrame.EVENT_ROWS) {
                latest.removeFirst();
            }
        }
        draw(LiveFrame.of(view, latest, size.now(), style));
    }

    @Override
    public void finish(Summary summary) {
        close();
        out.println();
        summary.lines(style).forEach(out::println);
        out.flush();
    }

    @Override
    public void close() {
        if (isOpen) {
            isOpen = false;
            out.print(WRAP + SHOW_CURSOR);
        }
        out.flush();
    }

    private void draw(List<String> lines) {
        StringBuilder frame = new StringBuilder(4096);
        frame.append(BEGIN_UPDATE);
        if (!isOpen) {
            isOpen = true;
            frame.append(HIDE_CURSOR).append(NO_WRAP);
        }
        if (drawn > 0) {
            frame.append(ESC).append(drawn).append('A');
        }
        frame.append('\r');
        for (String line : lines) {
            frame.append(line).append(CLEAR_TO_END_OF_LINE).append("\r\n");
        }
        frame.append(CLEAR_BELOW).append(END_UPDATE);
        drawn = lines.size();
        out.print(frame);
        out.flush();
    }
}
