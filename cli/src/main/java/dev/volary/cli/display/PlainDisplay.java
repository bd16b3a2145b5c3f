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
import java.util.Optional;

/** Prints plain lines for pipes and logs: one for each phase, snapshot and event, those of an update in the order of their times. */
final class PlainDisplay implements Display {
    private record Line(Duration time, String text) {}

    private final PrintWriter out;
    private Optional<JobView.Phase> shown = Optional.empty();

    PlainDisplay(PrintWriter out) {
        this.out = out;
    }

    @Override
    public void update(JobView view) {
        List<Line> lines = new ArrayList<>();
        for (JobView.JobEvent event : view.events()) {
            lines.add(new Line(event.time(), (event.isProblem() ? "warning: " : "") + event.text()));
        }
        for (JobView.SnapshotPoint point : view.snapshots()) {
            boolean isNewest = point.equals(view.history().getLast());
            String left = isNewest ? TimeLeft.text(view, point.time()) : "";
            lines.add(new Line(
                    point.time(),
                    "snapshot " + point.snapshot() + ": certified residual " + Units.small(point.residual())
                            + ", tolerance " + Units.small(view.tolerance()) + ", " + Units.grouped(point.iterations())
                            + " iterations" + left));
        }
        // a phase has the time of the update
        if (!shown.equals(Optional.of(view.phase()))) {
            shown = Optional.of(view.phase());
            lines.add(new Line(view.elapsed(), view.phase().label()));
        }
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
