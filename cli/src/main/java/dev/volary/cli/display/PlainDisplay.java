// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.display;

import dev.volary.cli.console.Style;
import dev.volary.cli.console.Units;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;

/** Prints plain lines for pipes and logs: one for each phase, snapshot and event. */
final class PlainDisplay implements Display {
    private final PrintWriter out;
    private final AppendOnlyProgress progress = new AppendOnlyProgress();

    PlainDisplay(PrintWriter out) {
        this.out = out;
    }

    @Override
    public void update(JobView view) {
        AppendOnlyProgress.News news = progress.take(view);
        news.phase().ifPresent(phase -> line(view.elapsed(), phase.label()));
        for (JobView.JobEvent event : news.events()) {
            line(event.time(), (event.isProblem() ? "warning: " : "") + event.text());
        }
        for (JobView.SnapshotPoint point : news.snapshots()) {
            long iterations = view.daemons().stream()
                    .mapToLong(JobView.DaemonRow::iterations)
                    .sum();
            line(
                    point.time(),
                    "snapshot " + point.snapshot() + ": certified residual " + Units.small(point.residual())
                            + ", tolerance " + Units.small(view.tolerance()) + ", " + Units.grouped(iterations)
                            + " iterations");
        }
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

    private void line(Duration time, String text) {
        out.println(String.format(Locale.ROOT, "%8.2f s  %s", time.toNanos() / 1e9, text));
    }
}
