// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.plot;

import dev.volary.cli.plot.Canvas.Anchor;
import dev.volary.cli.plot.Canvas.Panel;

/** Draws linear axes with ticks and a name. */
final class Axes {
    private Axes() {}

    static void horizontal(Canvas canvas, Panel panel, double lo, double hi, String name) {
        for (double tick : Ticks.linear(lo, hi, Math.max(2, panel.width() / 90))) {
            double x = panel.x() + share(tick, lo, hi) * panel.width();
            canvas.line(x, panel.bottom(), x, panel.bottom() + 5.0, Canvas.INK, false);
            canvas.text(Ticks.label(tick, hi - lo), x, panel.bottom() + 20.0, 12, false, Canvas.INK, Anchor.CENTRE);
        }
        canvas.text(name, panel.x() + panel.width() / 2.0, panel.bottom() + 42.0, 14, false, Canvas.INK, Anchor.CENTRE);
    }

    static void vertical(Canvas canvas, Panel panel, double lo, double hi, String name) {
        for (double tick : Ticks.linear(lo, hi, Math.max(2, panel.height() / 70))) {
            double y = panel.bottom() - share(tick, lo, hi) * panel.height();
            canvas.line(panel.x() - 5.0, y, panel.x(), y, Canvas.INK, false);
            canvas.text(Ticks.label(tick, hi - lo), panel.x() - 9.0, y + 4, 12, false, Canvas.INK, Anchor.RIGHT);
        }
        canvas.axisName(name, panel.x() - 54.0, panel.y() + panel.height() / 2.0, 14, Canvas.INK);
    }

    private static double share(double value, double lo, double hi) {
        return hi > lo ? (value - lo) / (hi - lo) : 0.5;
    }
}
