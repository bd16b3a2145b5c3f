// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.display;

import dev.volary.cli.console.Style;
import dev.volary.cli.console.Units;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** Prints plain lines for pipes and logs: one for each phase, snapshot and event, those of an update in the order of their times. */
final class PlainDisplay implements Display {
    private record Line(Duration time, String text) {}

    private final PrintWriter out;
    private final AppendOnlyProgress progress = new AppendOnlyProgress();

    PlainDisplay(PrintWriter out) {
        this.out = out;
    }

    @Override
    public void update(JobView view) {
        AppendOnlyProgress.News news = progress.take(view);
        List<Line> lines = new ArrayList<>();
        for (JobView.JobEvent event : news.events()) {
            lines.add(new Line(event.time(), (event.isProblem() ? "warning: " : "") + event.text()));
        }
        long iterations =
                view.daemons().stream().mapToLong(JobView.DaemonRow::iterations).sum();
        for (JobView.SnapshotPoint point : news.snapshots()) {
            boolean isNewest = point.equals(view.history().getLast());
            String left = isNewest ? TimeLeft.text(view, point.time()) : "";
            lines.add(new Line(
                    point.time(),
                    "snapshot " + point.snapshot() + ": certified residual " + Units.small(point.residual())
                            + ", tolerance " + Units.small(view.tolerance()) + ", " + Units.grouped(iterations)
                            + " iterations" + left));
        }
        // a phase has the time of the update
        news.phase().ifPresent(phase -> lines.add(new Line(view.elapsed(), phase.label())));
        lines.sort(Comparator.comparing(Line::time));
        lines.forEach(line -> out.println(
                String.format(Locale.ROOT, "%8.2f s  %s", line.time().toNanos() / 1e9, line.text())));
        out.flush();
    }

    @Override
    public void finish(Summary summary) {
        summary.lines(Style.PLAIN).forEach(out::println);
        out.flush();
    }

    @Override
    public void close() {
        out.flush();
    }
}
