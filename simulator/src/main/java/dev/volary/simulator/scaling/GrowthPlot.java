// SPDX-License-Identifier: Apache-2.0
package dev.volary.simulator.scaling;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** Draws a table of growth: both axes logarithmic, so that what grows no faster than log n looks flat. */
final class GrowthPlot {
    private static final int WIDTH = 720;
    private static final int HEIGHT = 420;
    private static final int LEFT = 70;
    private static final int RIGHT = 220;
    private static final int TOP = 20;
    private static final int BOTTOM = 50;
    private static final double LEAST = 0.001;
    private static final double MOST = 100;

    private GrowthPlot() {}

    private record Curve(String name, String color, ToDoubleFunction<ScalingBenchmark.Row> value) {}

    /** The lines of an SVG file. */
    static List<String> svg(List<ScalingBenchmark.Row> rows) {
        List<String> svg = new ArrayList<>();
        svg.add("<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 %d %d' font-family='sans-serif' font-size='13'>"
                .formatted(WIDTH, HEIGHT));
        svg.add("<rect width='%d' height='%d' fill='white'/>".formatted(WIDTH, HEIGHT));
        double first = rows.getFirst().daemons();
        double last = rows.getLast().daemons();
        for (double n = first; n <= last * 1.01; n *= 10) {
            svg.add(line(x(n, first, last), TOP, x(n, first, last), HEIGHT - BOTTOM, "#ddd"));
            svg.add(text(x(n, first, last), HEIGHT - BOTTOM + 18, "middle", "black", Long.toString(Math.round(n))));
        }
        for (double value = LEAST; value <= MOST * 1.01; value *= 10) {
            svg.add(line(LEFT, y(value), WIDTH - RIGHT, y(value), "#ddd"));
            svg.add(text(LEFT - 8, y(value) + 4, "end", "black", String.format(Locale.ROOT, "%.4g", value)));
        }
        svg.add(text((LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - 12, "middle", "black", "daemons"));
        List<Curve> curves = List.of(
                new Curve("messages/s and daemon", "#1f77b4", ScalingBenchmark.Row::sent),
                new Curve("replacement, s", "#d62728", ScalingBenchmark.Row::replacement),
                new Curve("detection, s", "#ff7f0e", ScalingBenchmark.Row::detection),
                new Curve("snapshot, s", "#2ca02c", ScalingBenchmark.Row::snapshot));
        double labeled = 0;
        for (Curve curve : curves) {
            StringBuilder points = new StringBuilder();
            for (ScalingBenchmark.Row row : rows) {
                points.append(String.format(
                        Locale.ROOT,
                        "%.1f,%.1f ",
                        x(row.daemons(), first, last),
                        y(curve.value().applyAsDouble(row))));
            }
            svg.add("<polyline fill='none' stroke-width='2' stroke='%s' points='%s'/>"
                    .formatted(curve.color(), points.toString().strip()));
            labeled = Math.max(labeled + 16, y(curve.value().applyAsDouble(rows.getLast())) + 4);
            svg.add(text(WIDTH - RIGHT + 8, labeled, "start", curve.color(), curve.name()));
        }
        svg.add("</svg>");
        return svg;
    }

    private static double x(double daemons, double first, double last) {
        return LEFT + (WIDTH - LEFT - RIGHT) * Math.log(daemons / first) / Math.log(last / first);
    }

    private static double y(double value) {
        double clamped = Math.clamp(value, LEAST, MOST);
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * Math.log(clamped / LEAST) / Math.log(MOST / LEAST);
    }

    private static String line(double x1, double y1, double x2, double y2, String color) {
        return String.format(
                Locale.ROOT, "<line x1='%.1f' y1='%.1f' x2='%.1f' y2='%.1f' stroke='%s'/>", x1, y1, x2, y2, color);
    }

    private static String text(double x, double y, String anchor, String color, String label) {
        return String.format(
                Locale.ROOT,
                "<text x='%.1f' y='%.1f' text-anchor='%s' fill='%s'>%s</text>",
                x,
                y,
                anchor,
                color,
                label);
    }
}
