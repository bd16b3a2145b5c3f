// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.result;

import dev.volary.zarr.ResultAttributes;
import dev.volary.zarr.ZarrArray;
import dev.volary.zarr.ZarrGroup;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The field of a result, and where its values lie.
 *
 * @param name of the field
 * @param array its values
 * @param axes the slowest first
 * @param about what the result says about itself
 */
public record ResultField(String name, ZarrArray array, List<AxisScale> axes, ResultAttributes about) {

    /** Whether the first axis numbers the values of each point, and does not belong to the grid. */
    public boolean hasComponents() {
        return axes.getFirst().name().equals(array.attributes().get(ZarrArray.COMPONENTS));
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
     * Opens the only field of a result.
     *
     * @param zarr the group {@code result.zarr}
     * @throws IOException if the result cannot be read or has no field
     */
    public static ResultField open(Path zarr) throws IOException {
        ZarrGroup group = ZarrGroup.open(zarr);
        List<String> fields = group.fields();
        if (fields.isEmpty()) {
            throw new IOException(zarr + " holds no array; name the output folder of a finished run");
        }
        String name = fields.getFirst();
        ZarrArray array = group.array(name);
        return new ResultField(name, array, AxisScale.of(group, array), ResultAttributes.of(group.attributes()));
    }
}
