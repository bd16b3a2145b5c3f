// SPDX-License-Identifier: Apache-2.0
package dev.volary.bench.peers;

import dev.volary.bench.Svg;
import java.util.List;
import java.util.Locale;
import java.util.stream.DoubleStream;

/**
 * Draws times of programs as dots on a logarithmic axis, a row for each program: filled for the solve, hollow for the whole
 * command.
 */
final class TimesPlot {
    private static final int WIDTH = 760;
    private static final int LEFT = 330;
    private static final int RIGHT = 70;
    private static final int TOP = 44;
    private static final int ROW = 24;
    private static final int BOTTOM = 48;
    private static final String VOLARY = "#d62728";
    private static final String PEER = "#1f77b4";
    /** Of the axis beside the smallest time, which leaves room for its label. */
    private static final double MARGIN = 0.6;

    private TimesPlot() {}

    /**
     * Times of a program.
     *
     * @param solve seconds, NaN to leave it out
     * @param whole seconds, NaN to leave it out
     * @param ours whether it is Volary
     */
    record Row(String name, double solve, double whole, boolean ours) {
        DoubleStream times() {
            return DoubleStream.of(solve, whole).filter(time -> time > 0);
        }
    }

    /** Programs that solve the same problem. */
    record Group(String title, List<Row> rows) {}

    /** The lines of an SVG file. */
    static List<String> svg(List<Group> groups) {
        int rows = groups.stream().mapToInt(group -> group.rows().size() + 1).sum();
        int height = TOP + ROW * rows + BOTTOM;
        double[] times = groups.stream()
                .flatMap(group -> group.rows().stream())
                .flatMapToDouble(Row::times)
                .toArray();
        double low = Math.floor(Math.log10(MARGIN * DoubleStream.of(times).min().orElse(0.1)));
        double high = Math.max(
                low + 1, Math.ceil(Math.log10(DoubleStream.of(times).max().orElse(1))));
        Svg svg = new Svg(WIDTH, height);
        for (double decade = low; decade <= high; decade++) {
            double x = x(Math.pow(10, decade), low, high);
            svg.line(x, TOP, x, height - BOTTOM, Svg.GRID, 1);
            svg.text(
                    x,
                    height - BOTTOM + 18,
                    "middle",
                    Svg.INK,
                    String.format(Locale.ROOT, "%.10g", Math.pow(10, decade)).replaceAll("\\.?0+$", ""));
        }
        svg.text((LEFT + WIDTH - RIGHT) / 2.0, height - 12, "middle", Svg.INK, "seconds");
        svg.circle(LEFT, 20, 5, Svg.INK, true);
        svg.text(LEFT + 10, 24, "start", Svg.INK, "solve");
        svg.circle(LEFT + 90, 20, 5, Svg.INK, false);
        svg.text(LEFT + 100, 24, "start", Svg.INK, "whole command");
        double y = TOP;
        for (Group group : groups) {
            y += ROW;
            svg.text(12, y - 6, "start", Svg.INK, group.title());
            for (Row row : group.rows()) {
                y += ROW;
                draw(svg, row, y - 10, low, high);
            }
        }
        return svg.end();
    }

    private static void draw(Svg svg, Row row, double y, double low, double high) {
        String color = row.ours() ? VOLARY : PEER;
        svg.text(LEFT - 12, y + 4, "end", color, row.name());
        double solve = x(row.solve(), low, high);
        double whole = x(row.whole(), low, high);
        if (row.solve() > 0 && row.whole() > 0) {
            svg.line(solve, y, whole, y, color, 1);
        }
        if (row.whole() > 0) {
            svg.circle(whole, y, 5, color, false);
            svg.text(whole + 9, y + 4, "start", color, Section.number(row.whole()));
        }
        if (row.solve() > 0) {
            svg.circle(solve, y, 5, color, true);
            if (!(solve > whole)) {
                svg.text(solve - 9, y - 4, "end", color, Section.number(row.solve()));
            }
        }
    }

    private static double x(double seconds, double low, double high) {
        return LEFT + (WIDTH - LEFT - RIGHT) * (Math.log10(seconds) - low) / (high - low);
    }
}
