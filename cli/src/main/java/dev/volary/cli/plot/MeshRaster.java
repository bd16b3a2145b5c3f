// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.plot;

import dev.volary.cli.plot.Canvas.Panel;
import java.awt.Color;
import java.util.Arrays;

/**
 * Draws cells with interpolated values into a window of a plane, at several samples for each pixel. Of two cells in the same place, the
 * one nearer to the viewer stays. The work is that of the samples and of the cells, so a million small cells take about a second.
 */
final class MeshRaster {
    /** Samples of a pixel on each axis. */
    private static final int SAMPLES = 3;

    private final Panel panel;
    private final Window window;
    private final int columns;
    private final int rows;
    private final double[] values;
    private final float[] depths;

    /** A rectangle in the coordinates of the mesh. */
    record Window(double left, double right, double bottom, double top) {
        double width() {
            return right - left;
        }

        double height() {
            return top - bottom;
        }
    }

    /**
     * A corner of what is drawn.
     *
     * @param x to the right
     * @param y upwards
     * @param depth towards the viewer
     * @param value that the color shows; a point with NaN is not drawn
     */
    record Vertex(double x, double y, double depth, double value) {}

    MeshRaster(Panel panel, Window window) {
        this.panel = panel;
        this.window = window;
        this.columns = panel.width() * SAMPLES;
        this.rows = panel.height() * SAMPLES;
        this.values = new double[Math.multiplyExact(columns, rows)];
        this.depths = new float[values.length];
        Arrays.fill(values, Double.NaN);
        Arrays.fill(depths, Float.NEGATIVE_INFINITY);
    }

    /** The position of a vertex on the picture, in pixels. */
    double pixelX(Vertex vertex) {
        return panel.x() + column(vertex) / SAMPLES;
    }

    double pixelY(Vertex vertex) {
        return panel.y() + row(vertex) / SAMPLES;
    }

    /** The number of samples to the left of a vertex. */
    private double column(Vertex vertex) {
        return (vertex.x() - window.left()) / window.width() * columns;
    }

    private double row(Vertex vertex) {
        return (window.top() - vertex.y()) / window.height() * rows;
    }

    /** Fills a triangle; its three values are interpolated linearly. */
    void triangle(Vertex a, Vertex b, Vertex c) {
        double ax = column(a);
        double ay = row(a);
        double bx = column(b) - ax;
        double by = row(b) - ay;
        double cx = column(c) - ax;
        double cy = row(c) - ay;
        double area = bx * cy - cx * by;
        if (area == 0 || Double.isNaN(a.value() + b.value() + c.value())) {
            return;
        }
        int firstRow = (int) Math.max(0, Math.ceil(ay + Math.min(0, Math.min(by, cy)) - 0.5));
        int lastRow = (int) Math.min(rows - 1.0, Math.floor(ay + Math.max(0, Math.max(by, cy)) - 0.5));
        int firstColumn = (int) Math.max(0, Math.ceil(ax + Math.min(0, Math.min(bx, cx)) - 0.5));
        int lastColumn = (int) Math.min(columns - 1.0, Math.floor(ax + Math.max(0, Math.max(bx, cx)) - 0.5));
        for (int row = firstRow; row <= lastRow; row++) {
            double y = row + 0.5 - ay;
            for (int column = firstColumn; column <= lastColumn; column++) {
                double x = column + 0.5 - ax;
                double ofB = (x * cy - cx * y) / area;
                double ofC = (bx * y - x * by) / area;
                double ofA = 1 - ofB - ofC;
                if (ofA >= 0 && ofB >= 0 && ofC >= 0) {
                    put(
                            row,
                            column,
                            ofA * a.depth() + ofB * b.depth() + ofC * c.depth(),
                            ofA * a.value() + ofB * b.value() + ofC * c.value());
                }
            }
        }
    }

    /** Draws a line of a width in pixels; its two values are interpolated linearly. */
    void line(Vertex a, Vertex b, double width) {
        double dx = column(b) - column(a);
        double dy = row(b) - row(a);
        int steps = (int) Math.min(Math.ceil(Math.max(Math.abs(dx), Math.abs(dy))), (double) columns + rows);
        boolean isFlat = Math.abs(dx) >= Math.abs(dy);
        // a stamp across the longer axis: its length grows with the slope, so that the line has the same width in each
        // direction
        double stretch = steps == 0 ? 1 : Math.hypot(dx, dy) / Math.max(Math.abs(dx), Math.abs(dy));
        int across = Math.max(1, (int) Math.round(width * SAMPLES * stretch));
        for (int step = 0; step <= steps; step++) {
            double t = steps == 0 ? 0 : step / (double) steps;
            double depth = a.depth() + t * (b.depth() - a.depth());
            double value = a.value() + t * (b.value() - a.value());
            int column = (int) Math.floor(column(a) + t * dx - (isFlat ? 0 : (across - 1) / 2.0));
            int row = (int) Math.floor(row(a) + t * dy - (isFlat ? (across - 1) / 2.0 : 0));
            for (int i = 0; i < across; i++) {
                put(row + (isFlat ? i : 0), column + (isFlat ? 0 : i), depth, value);
            }
        }
    }

    /** Draws a disk with a radius in pixels. */
    void dot(Vertex at, double radius) {
        double size = Math.max(0.5, radius * SAMPLES);
        for (int row = (int) Math.floor(row(at) - size); row <= row(at) + size; row++) {
            for (int column = (int) Math.floor(column(at) - size); column <= column(at) + size; column++) {
                if (Math.hypot(column + 0.5 - column(at), row + 0.5 - row(at)) <= size) {
                    put(row, column, at.depth(), at.value());
                }
            }
        }
    }

    private void put(int row, int column, double depth, double value) {
        if (row < 0 || row >= rows || column < 0 || column >= columns || Double.isNaN(value)) {
            return;
        }
        int at = row * columns + column;
        if (depth >= depths[at]) {
            depths[at] = (float) depth;
            values[at] = value;
        }
    }

    /** The smallest value drawn; NaN if there is none. */
    double min() {
        return Arrays.stream(values).filter(Double::isFinite).min().orElse(Double.NaN);
    }

    /** The largest value drawn; NaN if there is none. */
    double max() {
        return Arrays.stream(values).filter(Double::isFinite).max().orElse(Double.NaN);
    }

    /** Colors the pixels of the panel: the mean of their samples, white where nothing is. */
    void paint(Canvas canvas, HeatMap heat) {
        for (int y = 0; y < panel.height(); y++) {
            for (int x = 0; x < panel.width(); x++) {
                canvas.pixel(panel.x() + x, panel.y() + y, mean(heat, y * SAMPLES, x * SAMPLES));
            }
        }
    }

    private int mean(HeatMap heat, int firstRow, int firstColumn) {
        int red = 0;
        int green = 0;
        int blue = 0;
        for (int row = firstRow; row < firstRow + SAMPLES; row++) {
            for (int column = firstColumn; column < firstColumn + SAMPLES; column++) {
                double value = values[row * columns + column];
                int rgb = Double.isNaN(value) ? Color.WHITE.getRGB() : heat.rgb(value);
                red += rgb >> 16 & 255;
                green += rgb >> 8 & 255;
                blue += rgb & 255;
            }
        }
        int samples = SAMPLES * SAMPLES;
        return new Color(red / samples, green / samples, blue / samples).getRGB();
    }
}
