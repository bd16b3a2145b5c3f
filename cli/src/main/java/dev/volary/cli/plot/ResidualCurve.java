// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.plot;

import dev.volary.cli.plot.Canvas.Anchor;
import dev.volary.cli.plot.Canvas.Panel;
import dev.volary.cli.result.ResidualHistory;
import dev.volary.cli.result.RunMarks;
import java.awt.Color;
import java.time.Duration;
import java.util.List;

/**
 * Draws the certified residual over the computing time, on a logarithmic scale, with the tolerance, with a line where a worker
 * failed, and a tick where a time step was committed.
 */
final class ResidualCurve {
    /** Keeps points and tolerance off the frame: a short job has one or two snapshots. */
    private static final double MARGIN = 0.1;

    private static final double TICK = 12;
    /** Width of the text and sign of failures. */
    private static final double LEGEND = 100;

    private static final Color FAILURE = new Color(0xb3, 0x6a, 0x00);

    private ResidualCurve() {}

    /**
     * @param tolerance relative; NaN if it is not known
     */
    static void draw(
            Canvas canvas, Panel panel, List<ResidualHistory.Sample> history, RunMarks marks, double tolerance) {
        List<ResidualHistory.Sample> shown = history.stream()
                .filter(s -> s.relative() > 0 && Double.isFinite(s.relative()))
                .toList();
        double least = shown.stream()
                .mapToDouble(ResidualHistory.Sample::relative)
                .min()
                .orElse(1e-3);
        double most = shown.stream()
                .mapToDouble(ResidualHistory.Sample::relative)
                .max()
                .orElse(1);
        if (tolerance > 0) {
            least = Math.min(least, tolerance);
            most = Math.max(most, tolerance);
        }
        int lo = (int) Math.floor(Math.log10(least) - MARGIN);
        int hi = Math.max(lo + 1, (int) Math.ceil(Math.log10(most) + MARGIN));
        double seconds = shown.isEmpty() ? 1 : Math.max(1e-3, (1 + MARGIN / 2) * seconds(shown.getLast()));
        for (int exponent : Axes.decades(lo, hi, 8)) {
            double y = y(panel, exponent, lo, hi);
            canvas.line(panel.x(), y, panel.right(), y, Canvas.GRID, false);
            canvas.text(
                    exponent == 0 ? "1" : "1e" + exponent, panel.x() - 9.0, y + 4, 12, false, Canvas.INK, Anchor.RIGHT);
        }
        drawMarks(canvas, panel, marks, seconds);
        double[] points = new double[2 * shown.size()];
        for (int i = 0; i < shown.size(); i++) {
            points[2 * i] = panel.x() + seconds(shown.get(i)) / seconds * panel.width();
            points[2 * i + 1] = y(panel, Math.log10(shown.get(i).relative()), lo, hi);
        }
        canvas.polyline(points, Canvas.ACCENT, 2);
        for (int i = 0; i < shown.size(); i++) {
            canvas.dot(
                    points[2 * i],
                    points[2 * i + 1],
                    shown.size() > 60 ? 1.5 : shown.size() > 1 ? 3 : 5,
                    Canvas.ACCENT);
        }
        if (tolerance > 0) {
            double y = y(panel, Math.log10(tolerance), lo, hi);
            canvas.line(panel.x(), y, panel.right(), y, Canvas.LIMIT, true);
            canvas.text("tolerance", panel.x() + 8.0, y - 6, 12, false, Canvas.LIMIT, Anchor.LEFT);
        }
        canvas.frame(panel);
        Axes.horizontal(canvas, panel, 0, seconds, "seconds");
        canvas.axisName("certified residual", panel.x() - 54.0, panel.y() + panel.height() / 2.0, 14, Canvas.INK);
    }

    private static void drawMarks(Canvas canvas, Panel panel, RunMarks marks, double seconds) {
        double legend = panel.right();
        List<Double> failures = places(panel, marks.failures(), seconds);
        if (!failures.isEmpty()) {
            for (double x : failures) {
                canvas.line(x, panel.y(), x, panel.bottom(), FAILURE, true);
                cross(canvas, x, panel.y() + 8.0);
            }
            canvas.text("worker failed", legend, panel.y() - 8.0, 12, false, FAILURE, Anchor.RIGHT);
            legend -= LEGEND;
            cross(canvas, legend + 8.0, panel.y() - 12.0);
        }
        List<Double> steps = places(panel, marks.steps(), seconds);
        if (!steps.isEmpty()) {
            for (double x : steps) {
                canvas.line(x, panel.bottom() - TICK, x, panel.bottom(), Canvas.FAINT, false);
            }
            canvas.text("time step", legend - 8.0, panel.y() - 8.0, 12, false, Canvas.FAINT, Anchor.RIGHT);
            canvas.line(legend - 76.0, panel.y() - 17.0, legend - 76.0, panel.y() - 7.0, Canvas.FAINT, false);
        }
    }

    /** Those within the panel, from its left. */
    private static List<Double> places(Panel panel, List<Duration> times, double seconds) {
        return times.stream()
                .map(time -> time.toNanos() / 1e9)
                .filter(time -> time <= seconds)
                .map(time -> panel.x() + time / seconds * panel.width())
                .toList();
    }

    private static void cross(Canvas canvas, double x, double y) {
        canvas.line(x - 4, y - 4, x + 4, y + 4, FAILURE, false);
        canvas.line(x - 4, y + 4, x + 4, y - 4, FAILURE, false);
    }

    private static double seconds(ResidualHistory.Sample sample) {
        return sample.time().toNanos() / 1e9;
    }

    private static double y(Panel panel, double exponent, int lo, int hi) {
        return panel.bottom() - (exponent - lo) / (hi - lo) * panel.height();
    }
}
