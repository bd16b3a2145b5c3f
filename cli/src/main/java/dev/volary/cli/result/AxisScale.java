// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.result;

import dev.volary.zarr.ZarrArray;
import dev.volary.zarr.ZarrGroup;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The coordinates along one axis of a result; its indices where the result has none.
 *
 * @param name of the dimension
 * @param first coordinate of the first value
 * @param spacing of the values
 * @param count of the values
 * @param unit of the coordinates; empty for numbers without one
 */
public record AxisScale(String name, double first, double spacing, int count, String unit) {

    /** Indices. */
    AxisScale(String name, int count) {
        this(name, 0, 1, count, "");
    }

    /** The axes of a field, the slowest first. */
    public static List<AxisScale> of(ZarrGroup group, ZarrArray field) throws IOException {
        List<AxisScale> axes = new ArrayList<>();
        int[] shape = field.grid().shape();
        for (int a = 0; a < shape.length; a++) {
            String name = field.dimensions().get(a);
            int count = shape[a];
            String unit = group.unit(name);
            Optional<double[]> known = group.coordinates(name).filter(values -> values.length == count && count > 1);
            axes.add(known.map(values ->
                            new AxisScale(name, values[0], (values[count - 1] - values[0]) / (count - 1), count, unit))
                    .orElse(new AxisScale(name, count)));
        }
        return axes;
    }

    /** Name and unit. */
    public String label() {
        return unit.isEmpty() ? name : name + " (" + unit + ")";
    }

    /** Coordinate of the value with this index. */
    public double at(int index) {
        return first + index * spacing;
    }

    /** Coordinate of the last value. */
    public double last() {
        return at(count - 1);
    }
}
