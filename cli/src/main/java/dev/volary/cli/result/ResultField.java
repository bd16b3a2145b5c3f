// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.result;

import dev.volary.zarr.ResultAttributes;
import dev.volary.zarr.ZarrArray;
import dev.volary.zarr.ZarrGroup;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The field of a result, and where its values lie.
 *
 * @param name of the field
 * @param array its values
 * @param axes the slowest first
 * @param mesh that the values belong to; null if they belong to a grid, or have no place
 * @param about what the result says about itself
 */
public record ResultField(
        String name,
        ZarrArray array,
        List<AxisScale> axes,
        @Nullable ResultMesh mesh,
        ResultAttributes about) {

    /**
     * One of several time steps of a result.
     *
     * @param time in seconds
     * @param residual certified, relative
     * @param field its values
     */
    public record Step(int step, double time, double residual, ResultField field) {}

    /** Whether the first axis numbers the values of each point, and does not belong to the grid. */
    public boolean hasComponents() {
        return axes.getFirst().name().equals(array.attributes().get(ZarrArray.COMPONENTS));
    }

    /** Unit of the values; empty for numbers without one. */
    public String unit() {
        return String.valueOf(array.attributes().getOrDefault(ZarrArray.UNITS, ""));
    }

    /** The names of the components, from 1; the name of the field if it has none. */
    public List<String> componentNames() {
        if (!hasComponents()) {
            return List.of(name);
        }
        return IntStream.rangeClosed(1, axes.getFirst().count())
                .mapToObj(number -> name + number)
                .toList();
    }

    /**
     * Opens the only field of a result; of several time steps, that of the last one.
     *
     * @param zarr the group {@code result.zarr}
     * @throws IOException if the result cannot be read or has no field
     */
    public static ResultField open(Path zarr) throws IOException {
        ZarrGroup group = ZarrGroup.open(zarr);
        String name = name(zarr, group);
        ZarrArray array = group.array(name);
        ZarrArray last = array.hasTimeSteps() ? array.at(array.grid().shape()[0] - 1) : array;
        return new ResultField(
                name,
                last,
                AxisScale.of(group, last),
                ResultMesh.of(group, last).orElse(null),
                ResultAttributes.of(group.attributes()));
    }

    /**
     * Opens each time step of a result that has several; empty if it has only the last one.
     *
     * @throws IOException as {@link #open}, or if the result does not say which steps it has
     */
    public static List<Step> steps(Path zarr) throws IOException {
        ZarrGroup group = ZarrGroup.open(zarr);
        String name = name(zarr, group);
        ZarrArray array = group.array(name);
        if (!array.hasTimeSteps()) {
            return List.of();
        }
        Map<String, Object> about = group.attributes();
        double[] times = group.coordinates(array.dimensions().getFirst()).orElse(new double[0]);
        if (!(about.get(ResultAttributes.OUTPUT_STEPS) instanceof List<?> numbers)
                || !(about.get(ResultAttributes.OUTPUT_RESIDUALS) instanceof List<?> residuals)
                || numbers.size() != array.grid().shape()[0]
                || residuals.size() != numbers.size()
                || times.length != numbers.size()) {
            throw new IOException(zarr + " does not say which time steps it has; run the job again");
        }
        List<Step> steps = new ArrayList<>();
        for (int i = 0; i < times.length; i++) {
            ZarrArray values = array.at(i);
            steps.add(new Step(
                    (int) number(numbers.get(i)),
                    times[i],
                    number(residuals.get(i)),
                    new ResultField(
                            name,
                            values,
                            AxisScale.of(group, values),
                            ResultMesh.of(group, values).orElse(null),
                            ResultAttributes.of(about))));
        }
        return steps;
    }

    private static double number(Object value) {
        return value instanceof Number number ? number.doubleValue() : Double.NaN;
    }

    private static String name(Path zarr, ZarrGroup group) throws IOException {
        List<String> fields = group.fields();
        if (fields.isEmpty()) {
            throw new IOException(zarr + " holds no array; name the output folder of a finished run");
        }
        return fields.getFirst();
    }
}
