// SPDX-License-Identifier: Apache-2.0
package dev.volary.bench.peers;

import dev.volary.bench.Svg;
import java.util.List;
import java.util.Locale;

/** Draws kernels under the roofs of a machine; both axes are logarithmic. */
final class RooflinePlot {
    private static final int WIDTH = 760;
    private static final int HEIGHT = 440;
    private static final int LEFT = 70;
    private static final int RIGHT = 260;
    private static final int TOP = 20;
    private static final int BOTTOM = 50;
    private static final double LEAST_INTENSITY = 0.1;
    private static final double MOST_INTENSITY = 10;
    private static final double LEAST = 1;
    private static final double MOST = 200;
    private static final int LABEL_HEIGHT = 17;
    private static final List<String> COLORS =
            List.of("#1f77b4", "#d62728", "#2ca02c", "#ff7f0e", "#9467bd", "#8c564b", "#e377c2", "#17becf");

    private RooflinePlot() {}

    /** A kernel on some cores: flops a byte and billions of flops a second. */
    record Point(String name, int cores, double intensity, double gigaflops) {
        String label() {
            return cores == 1 ? name : name + ", " + cores + " cores";
        }
    }

    /** The lines of an SVG file. */
    static List<String> svg(List<Roofline> roofs, List<Point> points) {
        Svg svg = new Svg(WIDTH, HEIGHT);
        for (double intensity : new double[] {0.1, 0.2, 0.5, 1, 2, 5, 10}) {
            svg.line(x(intensity), TOP, x(intensity), HEIGHT - BOTTOM, Svg.GRID, 1);
            svg.text(x(intensity), HEIGHT - BOTTOM + 18, "middle", Svg.INK, plain(intensity));
        }
        for (double rate : new double[] {1, 2, 5, 10, 20, 50, 100, 200}) {
            svg.line(LEFT, y(rate), WIDTH - RIGHT, y(rate), Svg.GRID, 1);
            svg.text(LEFT - 8, y(rate) + 4, "end", Svg.INK, plain(rate));
        }
        svg.text((LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - 12, "middle", Svg.INK, "flops for each byte");
        svg.text(LEFT + 6, TOP + 14, "start", Svg.INK, "Gflop/s");
        for (Roofline roof : roofs) {
            double ridge = Math.clamp(
                    roof.cores() * roof.gigaflopsPerCore() / roof.gigabytesPerSecond(),
                    LEAST_INTENSITY,
                    MOST_INTENSITY);
            svg.line(x(LEAST_INTENSITY), height(roof, LEAST_INTENSITY), x(ridge), height(roof, ridge), Svg.INK, 2);
            svg.line(x(ridge), height(roof, ridge), x(MOST_INTENSITY), height(roof, MOST_INTENSITY), Svg.INK, 2);
            svg.text(
                    x(MOST_INTENSITY) - 6,
                    height(roof, MOST_INTENSITY) - 6,
                    "end",
                    Svg.INK,
                    roof.cores() == 1 ? "1 core" : roof.cores() + " cores");
        }
        double label = TOP + 10;
        List<String> names = points.stream().map(Point::name).distinct().toList();
        for (Point point : points) {
            String color = COLORS.get(names.indexOf(point.name()) % COLORS.size());
            boolean filled = point.cores() == 1;
            svg.circle(x(point.intensity()), y(point.gigaflops()), 5, color, filled);
            svg.circle(WIDTH - RIGHT + 18, label - 4, 5, color, filled);
            svg.text(WIDTH - RIGHT + 30, label, "start", color, point.label());
            label += LABEL_HEIGHT;
        }
        return svg.end();
    }

    private static String plain(double value) {
        return value < 1 ? String.format(Locale.ROOT, "%.1f", value) : Long.toString(Math.round(value));
    }

    private static double height(Roofline roof, double intensity) {
        return y(roof.attainableGigaflops(intensity));
    }

    private static double x(double intensity) {
        return LEFT
                + (WIDTH - LEFT - RIGHT)
                        * Math.log(intensity / LEAST_INTENSITY)
                        / Math.log(MOST_INTENSITY / LEAST_INTENSITY);
    }

    private static double y(double gigaflops) {
        double clamped = Math.clamp(gigaflops, LEAST, MOST);
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * Math.log(clamped / LEAST) / Math.log(MOST / LEAST);
    }
}
