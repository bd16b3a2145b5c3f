// SPDX-License-Identifier: Apache-2.0
package dev.volary.solver;

import java.util.Arrays;
import java.util.List;

/**
 * Where the points of a grid lie on one of its axes, or the axis that numbers the unknowns of each point.
 *
 * @param name of the coordinate, as {@code x}
 * @param first coordinate of the first unknown
 * @param spacing distance of two unknowns that follow each other, positive
 * @param unit of the coordinates, as {@code km}; empty for a number without one
 * @param isSpace whether this is an axis of the grid; the one that {@linkplain #components numbers unknowns} is not
 */
public record GridAxis(String name, double first, double spacing, String unit, boolean isSpace) {

    public GridAxis {
        if (name.isEmpty() || !Double.isFinite(first) || !(spacing > 0)) {
            throw new IllegalArgumentException("axis '" + name + "' begins at " + first + " with spacing " + spacing);
        }
    }

    /** An axis of the grid, whose coordinates have no unit. */
    public GridAxis(String name, double first, double spacing) {
        this(name, first, spacing, "");
    }

    /** An axis of the grid. */
    public GridAxis(String name, double first, double spacing, String unit) {
        this(name, first, spacing, unit, true);
    }

    /**
     * The axis that numbers the unknowns of each point, from 1. It must be the slowest; pictures show each number by itself.
     *
     * @param name of what is numbered, as {@code species}
     */
    public static GridAxis components(String name) {
        return new GridAxis(name, 1, 1, "", false);
    }

    /**
     * The axes of an interval, a square or a cube whose boundary holds no unknowns.
     *
     * @param lo coordinate of the boundary, on each axis
     * @param hi that of the opposite one
     * @param n unknowns along each axis
     * @param axes 1 to 3, the slowest first: z, y, x
     */
    public static List<GridAxis> interior(double lo, double hi, int n, int axes) {
        double spacing = (hi - lo) / (n + 1);
        List<String> names = List.of("z", "y", "x");
        return names.subList(3 - axes, 3).stream()
                .map(name -> new GridAxis(name, lo + spacing, spacing))
                .toList();
    }

    /** The coordinates of the first {@code count} unknowns. */
    public double[] coordinates(int count) {
        double[] values = new double[count];
        Arrays.setAll(values, i -> first + i * spacing);
        return values;
    }
}
