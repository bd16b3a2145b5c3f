// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.result;

import dev.volary.solver.GridAxis;
import dev.volary.solver.Mesh;
import dev.volary.solver.Model;
import dev.volary.solver.Shape;
import dev.volary.zarr.ZarrArray;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a result says about its field.
 *
 * @param name of the array
 * @param unit of its values; empty for numbers without one
 * @param axes where the unknowns lie; empty if they are on no grid
 * @param mesh that the unknowns are the points of; null if there is none
 */
public record FieldDescription(
        String name,
        String unit,
        List<GridAxis> axes,
        @Nullable Mesh mesh) {
    /** A field without a mesh. */
    public FieldDescription(String name, String unit, List<GridAxis> axes) {
        this(name, unit, axes, null);
    }

    public FieldDescription {
        axes = List.copyOf(axes);
    }

    /** The field of a model. */
    public static FieldDescription of(Model model) {
        return new FieldDescription(
                model.field(), model.unit(), model.axes(), model.mesh().orElse(null));
    }

    /** Names the unit, and the axis of the components, if there is one, for those who show the field. */
    Map<String, Object> attributes() {
        Map<String, Object> attributes = new HashMap<>();
        if (!unit.isEmpty()) {
            attributes.put(ZarrArray.UNITS, unit);
        }
        if (!axes.isEmpty() && !axes.getFirst().isSpace()) {
            attributes.put(ZarrArray.COMPONENTS, axes.getFirst().name());
        }
        return attributes;
    }

    /** A name for each axis. */
    List<String> dimensions(Shape shape) {
        if (!axes.isEmpty()) {
            return axes.stream().map(GridAxis::name).toList();
        }
        return switch (shape.axes()) {
            case 1 -> List.of("i");
            case 2 -> List.of("y", "x");
            case 3 -> List.of("z", "y", "x");
            default -> {
                List<String> names = new ArrayList<>();
                for (int a = 0; a < shape.axes(); a++) {
                    names.add("axis" + a);
                }
                yield names;
            }
        };
    }
}
