// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.plot;

import dev.volary.cli.plot.Canvas.Anchor;
import dev.volary.cli.plot.Canvas.Panel;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Draws linear axes with ticks and a name, and chooses round numbers for ticks. */
final class Axes {
    private Axes() {}

    static void horizontal(Canvas canvas, Panel panel, double lo, double hi, String name) {
        for (double tick : ticks(lo, hi, Math.max(2, panel.width() / 60))) {
            double x = panel.x() + share(tick, lo, hi) * panel.width();
            canvas.line(x, panel.bottom(), x, panel.bottom() + 5.0, Canvas.INK, false);
            canvas.text(label(tick, hi - lo), x, panel.bottom() + 20.0, 12, false, Canvas.INK, Anchor.CENTRE);
        }
        canvas.text(name, panel.x() + panel.width() / 2.0, panel.bottom() + 42.0, 14, false, Canvas.INK, Anchor.CENTRE);
    }

    static void vertical(Canvas canvas, Panel panel, double lo, double hi, String name) {
        for (double tick : ticks(lo, hi, Math.max(2, panel.height() / 60))) {
            double y = panel.bottom() - share(tick, lo, hi) * panel.height();
            canvas.line(panel.x() - 5.0, y, panel.x(), y, Canvas.INK, false);
            canvas.text(label(tick, hi - lo), panel.x() - 9.0, y + 4, 12, false, Canvas.INK, Anchor.RIGHT);
        }
        canvas.axisName(name, panel.x() - 54.0, panel.y() + panel.height() / 2.0, 14, Canvas.INK);
    }

    private static double share(double value, double lo, double hi) {
        return hi > lo ? (value - lo) / (hi - lo) : 0.5;
    }

    /** Multiples of 1, 2 or 5 times a power of ten between two numbers, about {@code wanted} of them. */
    static List<Double> ticks(double lo, double hi, int wanted) {
        if (!(hi > lo)) {
            return List.of(lo);
        }
        double raw = (hi - lo) / wanted;
        double power = Math.pow(10, Math.floor(Math.log10(raw)));
        double fraction = raw / power;
        double step = power * (fraction <= 1 ? 1 : fraction <= 2 ? 2 : fraction <= 5 ? 5 : 10);
        List<Double> ticks = new ArrayList<>();
        for (long k = (long) Math.ceil(lo / step - 1e-9); k * step <= hi + step * 1e-9; k++) {
            ticks.add(k * step);
        }
        return ticks;
    }

    /** Exponents of powers of ten from {@code lo} to {@code hi}, thinned to about {@code wanted}. */
    static List<Integer> decades(int lo, int hi, int wanted) {
        int step = Math.max(1, Math.ceilDiv(hi - lo, wanted));
        List<Integer> ticks = new ArrayList<>();
        for (int exponent = lo; exponent <= hi; exponent += step) {
            ticks.add(exponent);
        }
        return ticks;
    }

    /**
     * A tick as short as its neighbors allow.
     *
     * @param axis length of the axis; zero for an axis with a single value
     */
    static String label(double value, double axis) {
        double span = axis > 0 ? axis : Math.max(Math.abs(value), 1);
        double zeroed = Math.abs(value) < span * 1e-9 ? 0 : value;
        double magnitude = Math.max(Math.abs(zeroed), span);
        if (magnitude >= 1e5 || magnitude < 1e-3) {
            return String.format(Locale.ROOT, "%.3g", zeroed).replaceFirst("\\.?0+e", "e");
        }
        int digits = Math.max(0, (int) Math.ceil(1 - Math.log10(span / 2)));
        String text = String.format(Locale.ROOT, "%." + digits + "f", zeroed);
        return text.contains(".") ? text.replaceFirst("\\.?0+$", "") : text;
    }
}
