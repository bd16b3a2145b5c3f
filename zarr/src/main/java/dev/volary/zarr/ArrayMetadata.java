// SPDX-License-Identifier: Apache-2.0
package dev.volary.zarr;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An array's {@code zarr.json}, as Zarr's core specification v3 lays it out. */
final class ArrayMetadata {
    private static final List<Object> CODECS =
            List.of(named("bytes", Map.of("endian", "little")), Map.of("name", "crc32c"));

    private ArrayMetadata() {}

    static Map<String, Object> toJson(
            ChunkGrid grid, ElementType type, List<String> dimensions, Map<String, Object> attributes) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("zarr_format", 3);
        json.put("node_type", "array");
        json.put("shape", grid.shape());
        json.put("data_type", type.zarrName());
        json.put("chunk_grid", named("regular", Map.of("chunk_shape", grid.chunk())));
        json.put("chunk_key_encoding", named("default", Map.of("separator", "/")));
        json.put("fill_value", type.zarrFill());
        json.put("codecs", CODECS);
        json.put("attributes", attributes);
        json.put("dimension_names", dimensions);
        return json;
    }

    static ChunkGrid grid(Path folder, Map<String, Object> json) throws IOException {
        if (ElementType.of(json.get("data_type")).isEmpty() || !CODECS.equals(json.get("codecs"))) {
            throw new IOException(folder + " has data type " + json.get("data_type") + " and codecs "
                    + json.get("codecs") + "; only arrays written by this program can be read");
        }
        Object chunk = json.get("chunk_grid") instanceof Map<?, ?> chunks
                        && chunks.get("configuration") instanceof Map<?, ?> configuration
                ? configuration.get("chunk_shape")
                : null;
        try {
            return ChunkGrid.of(ints(json.get("shape")), ints(chunk));
        } catch (ArithmeticException | IllegalArgumentException broken) {
            throw new IOException(folder + " has no usable shape or chunk_grid; write the array again", broken);
        }
    }

    /** The type of an array that {@link #grid} accepts. */
    static ElementType type(Path folder, Map<String, Object> json) throws IOException {
        return ElementType.of(json.get("data_type"))
                .orElseThrow(() -> new IOException(folder + " has data type " + json.get("data_type")));
    }

    static List<String> dimensions(Path folder, Map<String, Object> json) throws IOException {
        if (json.get("dimension_names") instanceof List<?> names) {
            return names.stream().map(String::valueOf).toList();
        }
        throw new IOException(folder + " has no dimension_names; write the array again");
    }

    private static Map<String, Object> named(String name, Map<String, Object> configuration) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("name", name);
        json.put("configuration", configuration);
        return json;
    }

    private static int[] ints(@Nullable Object list) {
        if (!(list instanceof List<?> numbers)) {
            throw new IllegalArgumentException(list + " is not a list");
        }
        return numbers.stream()
                .mapToInt(n -> n instanceof Long number ? Math.toIntExact(number) : 0)
                .toArray();
    }
}
