// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.plot;

import dev.volary.cli.plot.Canvas.Panel;
import dev.volary.cli.result.AxisScale;
import dev.volary.zarr.ChunkGrid;
import dev.volary.zarr.ZarrArray;
import java.io.IOException;
import java.util.Arrays;

/** Reduces a vector to the width of a picture: the smallest and the largest value of each of its equal sections. */
final class MinMaxDownsampler {
    private final double[] min;
    private final double[] max;

    private MinMaxDownsampler(double[] min, double[] max) {
        this.min = min;
        this.max = max;
    }

    /** Reads a vector chunk by chunk. */
    static MinMaxDownsampler read(ZarrArray array, int sections) throws IOException {
        ChunkGrid grid = array.grid();
        int length = grid.shape()[0];
        double[] min = new double[Math.min(sections, length)];
        double[] max = new double[min.length];
        Arrays.fill(min, Double.POSITIVE_INFINITY);
        Arrays.fill(max, Double.NEGATIVE_INFINITY);
        for (int c = 0; c < grid.count(0); c++) {
            double[] chunk = array.readChunk(new int[] {c});
            int lo = grid.lo(new int[] {c})[0];
            for (int i = 0; i < chunk.length; i++) {
                int section = (int) ((long) (lo + i) * min.length / length);
                min[section] = Math.min(min[section], chunk[i]);
                max[section] = Math.max(max[section], chunk[i]);
            }
        }
        return new MinMaxDownsampler(min, max);
    }

    void draw(Canvas canvas, Panel panel, AxisScale axis, String field) {
        double lo = Arrays.stream(min).filter(Double::isFinite).min().orElse(0);
        double hi = Arrays.stream(max).filter(Double::isFinite).max().orElse(1);
        double margin = hi > lo ? 0.05 * (hi - lo) : 1;
        double bottom = lo - margin;
        double top = hi + margin;
        for (double tick : Axes.ticks(bottom, top, 6)) {
            double y = y(panel, tick, bottom, top);
            canvas.line(panel.x(), y, panel.right(), y, Canvas.GRID, false);
        }
        double[] points = new double[4 * min.length];
        for (int s = 0; s < min.length; s++) {
            double x = panel.x() + (s + 0.5) * panel.width() / min.length;
            boolean rises = s % 2 == 0;
            points[4 * s] = x;
            points[4 * s + 1] = y(panel, rises ? min[s] : max[s], bottom, top);
            points[4 * s + 2] = x;
            points[4 * s + 3] = y(panel, rises ? max[s] : min[s], bottom, top);
        }
        canvas.polyline(points, Canvas.ACCENT, 1.3);
        canvas.frame(panel);
        Axes.horizontal(canvas, panel, axis.first(), axis.last(), axis.label());
        Axes.vertical(canvas, panel, bottom, top, field);
    }

    private static double y(Panel panel, double value, double lo, double hi) {
        double shown = Double.isFinite(value) ? value : lo;
        return panel.bottom() - (shown - lo) / (hi - lo) * panel.height();
    }
}
