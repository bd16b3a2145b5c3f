// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.display;

import dev.volary.cli.console.Style;
import dev.volary.cli.console.Units;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Lays out the live display: a title, a line for each daemon, the curve of the residual, the latest events. */
final class LiveFrame {
    private static final int CURVE_ROWS = 7;
    /** Events that a frame shows at most. */
    static final int EVENT_ROWS = 4;

    private static final int NAME = 12;

    private LiveFrame() {}

    /**
     * The lines of a frame: fewer than the terminal has rows, and none longer than its width.
     *
     * @param latest events of this view and of those before, at most {@link #EVENT_ROWS}
     */
    static List<String> of(JobView view, Collection<JobView.JobEvent> latest, TerminalSize size, Style style) {
        // the last column stays free: clearing the rest of a line would erase a character there
        int width = Math.max(16, size.columns() - 1);
        int room = Math.max(4, size.rows() - 1);
        List<String> lines = new ArrayList<>();
        lines.add(title(view, width, style));
        boolean hasCurve = !view.history().isEmpty() && room >= CURVE_ROWS + 6;
        int below = (hasCurve ? CURVE_ROWS + 2 : 1) + (latest.isEmpty() ? 0 : latest.size() + 1);
        addDaemons(lines, view, width, Math.max(1, room - 2 - below), style);
        if (hasCurve) {
            lines.add("");
            lines.addAll(ResidualChart.of(view, width, CURVE_ROWS, style));
        } else {
            lines.add(residualLine(view, width, style));
        }
        if (!latest.isEmpty()) {
            lines.add("");
            latest.forEach(event -> lines.add(event(event, width, style)));
        }
        return List.copyOf(lines.subList(0, Math.min(lines.size(), room)));
    }

    private static String title(JobView view, int width, Style style) {
        String text = view.job() + "  " + view.problem() + ", " + view.scheme().toLowerCase(Locale.ROOT);
        String step = view.steps().hasTimeSteps() ? ", " + view.steps().open() : "";
        String left = TimeLeft.text(view, view.elapsed());
        String right = cut(view.phase().label() + step + "  " + Units.time(view.elapsed()) + left, width - 4);
        String job = cut(text, width - right.length() - 2);
        return style.bold(job) + " ".repeat(width - job.length() - right.length()) + style.cyan(right);
    }

    private static void addDaemons(List<String> lines, JobView view, int width, int room, Style style) {
        lines.add(style.faint(cut(
                String.format(
                        "%-" + NAME + "s %-9s %9s %11s %9s %9s  %-10s  %s",
                        "DAEMON",
                        "BLOCKS",
                        "ITER/S",
                        "ITERATIONS",
                        "HALO AGE",
                        "IN ITER.",
                        "LOCAL HINT",
                        "BACKUPS"),
                width)));
        int shown = view.daemons().size() <= room ? view.daemons().size() : room - 1;
        view.daemons().subList(0, shown).forEach(row -> lines.add(daemon(row, width, style)));
        if (shown < view.daemons().size()) {
            List<JobView.DaemonRow> rest =
                    view.daemons().subList(shown, view.daemons().size());
            double rate = rest.stream()
                    .mapToDouble(JobView.DaemonRow::iterationsPerSecond)
                    .sum();
            lines.add(style.faint(
                    cut("… and " + rest.size() + " more, " + Units.count(rate) + " iterations/s together", width)));
        }
    }

    private static String daemon(JobView.DaemonRow row, int width, Style style) {
        boolean computes = row.state() == JobView.DaemonState.COMPUTING;
        String line = String.format(
                Locale.ROOT,
                "%-" + NAME + "s %-9s %9s %11s %9s %9s  %-10s  %s",
                cut(row.name(), NAME),
                cut(blocks(row.blocks()), 9),
                computes ? Units.count(row.iterationsPerSecond()) : "",
                Units.count(row.iterations()),
                computes ? millis(row.haloAge()) : "",
                computes ? String.format(Locale.ROOT, "%.1f", row.haloAgeIterations()) : "",
                computes
                        ? Double.isNaN(row.localResidual()) ? "-" : Units.small(row.localResidual())
                        : row.state().name().toLowerCase(Locale.ROOT),
                computes ? String.join(" ", row.backups()) : "");
        String cut = cut(line.stripTrailing(), width);
        return switch (row.state()) {
            case LOST -> style.red(cut);
            case STARTING, WAITING -> style.faint(cut);
            case COMPUTING, DONE -> cut;
        };
    }

    private static String residualLine(JobView view, int width, Style style) {
        if (view.history().isEmpty()) {
            return style.faint(cut("no snapshot yet; the tolerance is " + Units.small(view.tolerance()), width));
        }
        return cut(
                "certified residual " + Units.small(view.history().getLast().residual()) + ", tolerance "
                        + Units.small(view.tolerance()),
                width);
    }

    private static String event(JobView.JobEvent event, int width, Style style) {
        String time = String.format(Locale.ROOT, "%8.1f s  ", event.time().toNanos() / 1e9);
        String text = cut(event.text(), width - time.length());
        return style.faint(time) + (event.isProblem() ? style.yellow(text) : text);
    }

    private static String blocks(List<Integer> blocks) {
        if (blocks.size() > 2 && blocks.getLast() - blocks.getFirst() == blocks.size() - 1) {
            return blocks.getFirst() + "–" + blocks.getLast();
        }
        return blocks.stream().map(String::valueOf).collect(Collectors.joining(","));
    }

    private static String millis(Duration age) {
        double millis = age.toNanos() / 1e6;
        return String.format(Locale.ROOT, millis < 10 ? "%.1f ms" : "%.0f ms", millis);
    }

    static String cut(String text, int width) {
        if (text.length() <= width) {
            return text;
        }
        return width <= 1 ? text.substring(0, Math.max(0, width)) : text.substring(0, width - 1) + "…";
    }
}
