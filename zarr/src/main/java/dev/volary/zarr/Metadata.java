// SPDX-License-Identifier: Apache-2.0
package dev.volary.zarr;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** The {@code zarr.json} of a node. */
final class Metadata {
    private static final String FILE = "zarr.json";

    private Metadata() {}

    static void write(Path folder, Map<String, Object> json) throws IOException {
        AtomicFiles.write(
                folder.resolve(FILE), ByteBuffer.wrap((Json.write(json) + "\n").getBytes(StandardCharsets.UTF_8)));
    }

    static Map<String, Object> read(Path folder, String nodeType) throws IOException {
        Path file = folder.resolve(FILE);
        if (!Files.isRegularFile(file)) {
            throw new IOException(folder + " is not a Zarr " + nodeType + " (it has no " + FILE + "); check the path");
        }
        Map<String, Object> json = Json.parse(Files.readString(file), file.toString());
        Object version = json.get("zarr_format");
        if (!Long.valueOf(3).equals(version) || !nodeType.equals(json.get("node_type"))) {
            throw new IOException(file + " describes a Zarr " + json.get("node_type") + " of format " + version
                    + ", not a version 3 " + nodeType + "; check the path");
        }
        return json;
    }

    @SuppressWarnings("unchecked") // Json's maps have string keys
    static Map<String, Object> attributes(Map<String, Object> json) {
        return json.get("attributes") instanceof Map<?, ?> attributes ? (Map<String, Object>) attributes : Map.of();
    }
}
