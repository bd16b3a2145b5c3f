// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.display;

import dev.volary.cli.console.Style;
import dev.volary.cli.console.Units;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Draws the certified residual over the time since the first snapshot, with Braille characters of two by four dots, on a
 * logarithmic scale down to the tolerance.
 */
final class ResidualChart {
    private static final int LABEL = 9;
    private static final int[][] DOTS = {{0x01, 0x02, 0x04, 0x40}, {0x08, 0x10, 0x20, 0x80}};

    private final int columns;
    private final int rows;
    private final int[][] cells;

    private ResidualChart(int columns, int rows) {
        this.columns = columns;
        this.rows = rows;
        this.cells = new int[rows][columns];
    }

    /** The chart: a headline and {@code rows} lines. */
    static List<String> of(JobView view, int width, int rows, Style style) {
        List<JobView.SnapshotPoint> points = view.history().stream()
                .filter(p -> p.residual() > 0 && Double.isFinite(p.residual()))
                .toList();
        List<String> lines = new ArrayList<>();
        lines.add(headline(view, width, style));
        if (points.isEmpty()) {
            return lines;
        }
        double bottom = Math.floor(Math.log10(Math.min(view.tolerance(), least(points))) - 0.2);
        double top = Math.max(bottom + 1, Math.ceil(Math.log10(Math.max(view.tolerance(), most(points)))));
        ResidualChart chart = new ResidualChart(Math.max(4, width - LABEL - 1), rows);
        chart.curve(points, seconds(view.elapsed()), bottom, top);
        int limit = chart.row(Math.log10(view.tolerance()), bottom, top) / 4;
        for (int r = 0; r < rows; r++) {
            lines.add(chart.line(r, r == limit, bottom, top, view.tolerance(), style));
        }
        return lines;
    }

    private static String headline(JobView view, int width, Style style) {
        JobView.SnapshotPoint last = view.history().getLast();
        boolean reached = last.residual() <= view.tolerance();
        String value = Units.small(last.residual());
        String before = "certified residual ";
        String after = LiveFrame.cut(
                "  (snapshot " + last.snapshot() + ", tolerance " + Units.small(view.tolerance()) + ")",
                Math.max(0, width - before.length() - value.length()));
        return before + style.bold(reached ? style.green(value) : value) + style.faint(after);
    }

    private void curve(List<JobView.SnapshotPoint> points, double seconds, double bottom, double top) {
        int beforeX = -1;
        int beforeY = -1;
        double first = seconds(points.getFirst().time());
        for (JobView.SnapshotPoint point : points) {
            double share = seconds > first ? Math.clamp((seconds(point.time()) - first) / (seconds - first), 0, 1) : 0;
            int x = (int) Math.round(share * (2 * columns - 1));
            int y = row(Math.log10(point.residual()), bottom, top);
            segment(beforeX < 0 ? x : beforeX, beforeX < 0 ? y : beforeY, x, y);
            beforeX = x;
            beforeY = y;
        }
    }

    private void segment(int x0, int y0, int x1, int y1) {
        int steps = Math.max(1, Math.max(Math.abs(x1 - x0), Math.abs(y1 - y0)));
        for (int s = 0; s <= steps; s++) {
            int x = x0 + Math.round((float) s * (x1 - x0) / steps);
            int y = y0 + Math.round((float) s * (y1 - y0) / steps);
            cells[y / 4][x / 2] |= DOTS[x % 2][y % 4];
        }
    }

    private int row(double exponent, double bottom, double top) {
        double share = Math.clamp((top - exponent) / (top - bottom), 0, 1);
        return (int) Math.round(share * (4 * rows - 1));
    }

    private String line(int r, boolean isLimit, double bottom, double top, double tolerance, Style style) {
        String label =
                isLimit ? Units.small(tolerance) : r == 0 ? exponent(top) : r == rows - 1 ? exponent(bottom) : "";
        StringBuilder line = new StringBuilder();
        String padded = " ".repeat(Math.max(0, LABEL - label.length())) + label + " ";
        line.append(isLimit ? style.yellow(padded) : style.faint(padded));
        int c = 0;
        while (c < columns) {
            int end = c;
            while (end < columns && (cells[r][end] == 0) == (cells[r][c] == 0)) {
                end++;
            }
            line.append(cells[r][c] == 0 ? blank(end - c, isLimit, style) : dots(r, c, end, style));
            c = end;
        }
        return line.toString();
    }

    private String dots(int r, int from, int to, Style style) {
        StringBuilder text = new StringBuilder();
        for (int c = from; c < to; c++) {
            text.append((char) (0x2800 + cells[r][c]));
        }
        return style.cyan(text.toString());
    }

    private static String blank(int length, boolean isLimit, Style style) {
        return isLimit ? style.yellow("┄".repeat(length)) : " ".repeat(length);
    }

    private static String exponent(double exponent) {
        return Units.small(Math.pow(10, exponent));
    }

    private static double least(List<JobView.SnapshotPoint> points) {
        return points.stream()
                .mapToDouble(JobView.SnapshotPoint::residual)
                .min()
                .orElse(1);
    }

    private static double most(List<JobView.SnapshotPoint> points) {
        return points.stream()
                .mapToDouble(JobView.SnapshotPoint::residual)
                .max()
                .orElse(1);
    }

    private static double seconds(Duration time) {
        return time.toNanos() / 1e9;
    }
}
