// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.plot;

import java.awt.Color;

/**
 * The color map viridis: perceptually uniform, readable in gray and for color-blind people (Smith and van der Walt 2015).
 * Sixth-degree polynomials through its table, accurate to about 1 of 255.
 */
final class Viridis {
    private static final double[] RED = {
        0.2777273272234177,
        0.1050930431085774,
        -0.3308618287255563,
        -4.634230498983486,
        6.228269936347081,
        4.776384997670288,
        -5.435455855934631
    };
    private static final double[] GREEN = {
        0.005407344544966578,
        1.404613529898575,
        0.214847559468213,
        -5.799100973351585,
        14.17993336680509,
        -13.74514537774601,
        4.645852612178535
    };
    private static final double[] BLUE = {
        0.3340998053353061,
        1.384590162594685,
        0.09509516302823659,
        -19.33244095627987,
        56.69055260068105,
        -65.35303263337234,
        26.3124352495832
    };
    private static final int[] TABLE = table();

    /** Gray, for points without a value. */
    private static final int MISSING = 0xffb0b0b0;

    private Viridis() {}

    /** The color of a number from 0 to 1 as opaque RGB; gray for NaN. */
    static int rgb(double t) {
        return Double.isNaN(t) ? MISSING : TABLE[(int) Math.round(Math.clamp(t, 0, 1) * (TABLE.length - 1))];
    }

    /** The color of a number from 0 to 1, for drawing lines. */
    static Color color(double t) {
        return new Color(rgb(t));
    }

    private static int[] table() {
        int[] table = new int[256];
        for (int i = 0; i < table.length; i++) {
            double t = i / 255.0;
            table[i] = 0xff000000 | channel(RED, t) << 16 | channel(GREEN, t) << 8 | channel(BLUE, t);
        }
        return table;
    }

    private static int channel(double[] polynomial, double t) {
        double value = 0;
        for (int k = polynomial.length - 1; k >= 0; k--) {
            value = value * t + polynomial[k];
        }
        return (int) Math.round(Math.clamp(value, 0, 1) * 255);
    }
}
