// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.plot;

import dev.volary.cli.plot.Canvas.Anchor;
import dev.volary.cli.plot.Canvas.Panel;
import dev.volary.cli.result.AxisScale;
import java.util.List;

/**
 * Draws planes as colors of a common scale.
 *
 * @param lo value of the darkest color
 * @param hi value of the brightest color
 */
record HeatMap(double lo, double hi) {

    /** A scale that covers all planes. */
    static HeatMap of(List<GridSlice> planes) {
        double lo = planes.stream()
                .mapToDouble(GridSlice::min)
                .filter(Double::isFinite)
                .min()
                .orElse(0);
        double hi = planes.stream()
                .mapToDouble(GridSlice::max)
                .filter(Double::isFinite)
                .max()
                .orElse(1);
        return new HeatMap(lo, hi);
    }

    /** A scale that covers what was drawn. */
    static HeatMap ofRasters(List<MeshRaster> rasters) {
        return new HeatMap(
                rasters.stream()
                        .mapToDouble(MeshRaster::min)
                        .filter(Double::isFinite)
                        .min()
                        .orElse(0),
                rasters.stream()
                        .mapToDouble(MeshRaster::max)
                        .filter(Double::isFinite)
                        .max()
                        .orElse(1));
    }

    /** Draws a plane with its axes, the first row at the bottom. */
    void draw(Canvas canvas, Panel panel, GridSlice plane, List<AxisScale> axes) {
        for (int y = 0; y < panel.height(); y++) {
            for (int x = 0; x < panel.width(); x++) {
                double value = plane.at(1 - (y + 0.5) / panel.height(), (x + 0.5) / panel.width());
                canvas.pixel(panel.x() + x, panel.y() + y, rgb(value));
            }
        }
        canvas.frame(panel);
        AxisScale columns = axes.get(plane.columnAxis());
        AxisScale rows = axes.get(plane.rowAxis());
        Axes.horizontal(canvas, panel, columns.first(), columns.last(), columns.label());
        Axes.vertical(canvas, panel, rows.first(), rows.last(), rows.label());
    }

    /** Draws the color scale. */
    void bar(Canvas canvas, Panel panel, String field) {
        for (int y = 0; y < panel.height(); y++) {
            int rgb = Viridis.rgb(1 - (y + 0.5) / panel.height());
            for (int x = 0; x < panel.width(); x++) {
                canvas.pixel(panel.x() + x, panel.y() + y, rgb);
            }
        }
        canvas.frame(panel);
        for (double tick : Axes.ticks(lo, hi, 6)) {
            double y = panel.bottom() - (hi > lo ? (tick - lo) / (hi - lo) : 0.5) * panel.height();
            canvas.line(panel.right(), y, panel.right() + 5.0, y, Canvas.INK, false);
            canvas.text(Axes.label(tick, hi - lo), panel.right() + 9.0, y + 4, 12, false, Canvas.INK, Anchor.LEFT);
        }
        canvas.text(field, panel.x() + panel.width() / 2.0, panel.y() - 10.0, 14, true, Canvas.INK, Anchor.CENTRE);
    }

    /** The color of a value. */
    int rgb(double value) {
        return Viridis.rgb(place(value));
    }

    private double place(double value) {
        return hi > lo ? (value - lo) / (hi - lo) : value == lo ? 0.5 : Double.NaN;
    }
}
