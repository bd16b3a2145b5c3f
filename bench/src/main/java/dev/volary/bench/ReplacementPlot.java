// SPDX-License-Identifier: Apache-2.0
package dev.volary.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Draws samples of processes over the number of replacements, a panel for each thing that is measured. */
final class ReplacementPlot {
    private static final int WIDTH = 760;
    private static final int PANEL = 130;
    private static final int LEFT = 60;
    private static final int RIGHT = 130;
    private static final int TOP = 30;
    private static final int BOTTOM = 40;
    private static final List<String> COLORS = List.of("#1f77b4", "#d62728", "#2ca02c", "#9467bd", "#ff7f0e");

    private ReplacementPlot() {}

    /** The lines of an SVG file. */
    static List<String> svg(List<ProcessSample> samples) {
        ProcessSample.Measured[] panels = ProcessSample.Measured.values();
        Svg svg = new Svg(WIDTH, TOP + (panels.length + 1) * PANEL + BOTTOM);
        double most = samples.getLast().replacements();
        List<String> processes = List.copyOf(ProcessSample.processes(samples));
        int top = TOP;
        for (ProcessSample.Measured measured : panels) {
            List<Curve> curves = new ArrayList<>();
            for (String process : processes) {
                List<double[]> points = samples.stream()
                        .filter(sample -> sample.process().equals(process))
                        .map(sample -> new double[] {sample.replacements(), measured.of(sample)})
                        .toList();
                curves.add(new Curve(process, COLORS.get(curves.size() % COLORS.size()), points));
            }
            panel(svg, top, measured.title(), curves, most);
            top += PANEL;
        }
        panel(svg, top, "connections opened, a replacement", List.of(opened(samples, processes.getFirst())), most);
        svg.text((LEFT + WIDTH - RIGHT) / 2.0, top + PANEL + 30, "middle", Svg.INK, "replacements");
        return svg.end();
    }

    private record Curve(String name, String color, List<double[]> points) {}

    private static Curve opened(List<ProcessSample> samples, String process) {
        List<ProcessSample> one = samples.stream()
                .filter(sample -> sample.process().equals(process))
                .toList();
        List<double[]> points = new ArrayList<>();
        for (int i = 1; i < one.size(); i++) {
            double each = (one.get(i).opened() - one.get(i - 1).opened())
                    / (one.get(i).replacements() - one.get(i - 1).replacements());
            points.add(new double[] {one.get(i).replacements(), each});
        }
        return new Curve("whole job", Svg.INK, points);
    }

    private static void panel(Svg svg, int top, String title, List<Curve> curves, double most) {
        double high = curves.stream()
                .flatMap(curve -> curve.points().stream())
                .mapToDouble(point -> point[1])
                .max()
                .orElse(1);
        double bottom = top + PANEL - 24;
        svg.text(LEFT + 24, top - 4, "start", Svg.INK, title); // beside the tick of the panel above
        svg.line(LEFT, bottom, WIDTH - RIGHT, bottom, Svg.GRID, 1);
        svg.line(LEFT, top + 4, WIDTH - RIGHT, top + 4, Svg.GRID, 1);
        svg.text(LEFT - 6, bottom + 4, "end", Svg.INK, "0");
        svg.text(LEFT - 6, top + 8, "end", Svg.INK, String.format(Locale.ROOT, "%.3g", high));
        for (int tick = 0; tick <= 4; tick++) {
            double x = LEFT + (WIDTH - LEFT - RIGHT) * tick / 4.0;
            svg.text(x, bottom + 16, "middle", Svg.INK, Long.toString(Math.round(most * tick / 4)));
        }
        int row = 0;
        for (Curve curve : curves) {
            StringBuilder points = new StringBuilder();
            for (double[] point : curve.points()) {
                points.append(String.format(
                        Locale.ROOT,
                        "%.1f,%.1f ",
                        LEFT + (WIDTH - LEFT - RIGHT) * point[0] / most,
                        bottom - (bottom - top - 4) * point[1] / high));
            }
            svg.polyline(points.toString().strip(), curve.color());
            svg.text(WIDTH - RIGHT + 8, top + 14 + 16 * row++, "start", curve.color(), curve.name());
        }
    }
}
