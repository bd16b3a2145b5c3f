// SPDX-License-Identifier: Apache-2.0
package dev.volary.zarr;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A folder of named arrays. A group that is being written stands beside its final place, as {@code <name>.partial}, until
 * {@link #commit} renames it: what has the final name is complete.
 */
public final class ZarrGroup {
    /** The array with the places of the values: a row of 2 or 3 coordinates for each. */
    public static final String MESH_COORDINATES = "coordinates";

    /** The array with the cells: a row of values counted from 0 for each. */
    public static final String MESH_CELLS = "cells";

    private static final String MESH = "mesh";

    private final Path target;
    private final Path folder;

    private ZarrGroup(Path target, Path folder) {
        this.target = target;
        this.folder = folder;
    }

    /**
     * Starts a group; leftovers of an unfinished one are removed, a finished one stays until {@link #commit}.
     *
     * @param target the final place
     */
    public static ZarrGroup create(Path target) throws IOException {
        Path folder = target.resolveSibling(target.getFileName() + ".partial");
        delete(folder);
        Files.createDirectories(folder);
        return new ZarrGroup(target, folder);
    }

    /**
     * Opens a finished group.
     *
     * @throws IOException if there is none
     */
    public static ZarrGroup open(Path target) throws IOException {
        Metadata.read(target, "group");
        return new ZarrGroup(target, target);
    }

    /** Where the group stands now; another process that writes chunks opens its array below this folder. */
    public Path folder() {
        return folder;
    }

    /** Adds an array; see {@link ZarrArray#create}. */
    public ZarrArray createArray(String name, ChunkGrid grid, List<String> dimensions, Map<String, Object> attributes)
            throws IOException {
        return ZarrArray.create(folder.resolve(name), grid, dimensions, attributes);
    }

    /**
     * Adds an array of numbers that the mesh of a field is made of, which is no field itself.
     *
     * @param isWhole whether they are whole numbers
     */
    public ZarrArray createMeshArray(String name, ChunkGrid grid, boolean isWhole, List<String> dimensions)
            throws IOException {
        return ZarrArray.create(
                folder.resolve(name),
                grid,
                isWhole ? ElementType.INT64 : ElementType.FLOAT64,
                dimensions,
                Map.of(MESH, true));
    }

    /** Opens an array of the mesh; empty if the field has none. */
    public Optional<ZarrArray> meshArray(String name) throws IOException {
        return Files.isRegularFile(folder.resolve(name).resolve("zarr.json"))
                ? Optional.of(array(name)).filter(ZarrGroup::isOfMesh)
                : Optional.empty();
    }

    private static boolean isOfMesh(ZarrArray array) {
        return Boolean.TRUE.equals(array.attributes().get(MESH));
    }

    /** Opens one of the arrays. */
    public ZarrArray array(String name) throws IOException {
        return ZarrArray.open(folder.resolve(name));
    }

    /** The names of the arrays, sorted. */
    public List<String> arrays() throws IOException {
        try (Stream<Path> children = Files.list(folder)) {
            return children.filter(child -> Files.isRegularFile(child.resolve("zarr.json")))
                    .map(child -> String.valueOf(child.getFileName()))
                    .sorted()
                    .toList();
        }
    }

    /** The names of the arrays that are neither {@linkplain #addCoordinates coordinates} nor of the mesh, sorted. */
    public List<String> fields() throws IOException {
        List<String> fields = new ArrayList<>();
        for (String name : arrays()) {
            ZarrArray array = array(name);
            if (!array.dimensions().equals(List.of(name)) && !isOfMesh(array)) {
                fields.add(name);
            }
        }
        return fields;
    }

    /**
     * Adds the coordinates of a dimension: an array with the name of its only dimension, as xarray and NetCDF have it.
     *
     * @param values one for each index
     */
    public void addCoordinates(String dimension, double[] values) throws IOException {
        addCoordinates(dimension, values, "");
    }

    /**
     * As {@link #addCoordinates(String, double[])}, in a unit.
     *
     * @param unit empty for numbers without one
     */
    public void addCoordinates(String dimension, double[] values, String unit) throws IOException {
        addCoordinates(dimension, values, unit, values.length);
    }

    /**
     * As {@link #addCoordinates(String, double[], String)}, of a dimension that grows.
     *
     * @param room how many values its only chunk has room for, so that a longer array can have the same chunk
     */
    public void addCoordinates(String dimension, double[] values, String unit, int room) throws IOException {
        createArray(
                        dimension,
                        ChunkGrid.of(new int[] {values.length}, new int[] {room}),
                        List.of(dimension),
                        unit.isEmpty() ? Map.of() : Map.of(ZarrArray.UNITS, unit))
                .writeChunk(new int[1], values);
    }

    /** The coordinates of a dimension; empty if it has none. */
    public Optional<double[]> coordinates(String dimension) throws IOException {
        if (!Files.isRegularFile(folder.resolve(dimension).resolve("zarr.json"))) {
            return Optional.empty();
        }
        ZarrArray array = array(dimension);
        return array.dimensions().equals(List.of(dimension))
                ? Optional.of(array.read(new int[1], array.grid().shape()))
                : Optional.empty();
    }

    /** The unit of an array's values; empty if it has none. */
    public String unit(String name) throws IOException {
        return Files.isRegularFile(folder.resolve(name).resolve("zarr.json"))
                ? String.valueOf(array(name).attributes().getOrDefault(ZarrArray.UNITS, ""))
                : "";
    }

    /** The group's attributes. */
    public Map<String, Object> attributes() throws IOException {
        return Metadata.attributes(Metadata.read(folder, "group"));
    }

    /**
     * Writes the attributes and gives the group its final name, replacing an earlier one.
     *
     * @param attributes strings, numbers, booleans, lists and maps of them
     */
    public ZarrGroup commit(Map<String, Object> attributes) throws IOException {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("zarr_format", 3);
        json.put("node_type", "group");
        json.put("attributes", attributes);
        Metadata.write(folder, json);
        Path earlier = target.resolveSibling(target.getFileName() + ".earlier");
        delete(earlier);
        if (Files.exists(target)) {
            Files.move(target, earlier, StandardCopyOption.ATOMIC_MOVE);
        }
        Files.move(folder, target, StandardCopyOption.ATOMIC_MOVE);
        delete(earlier);
        return new ZarrGroup(target, target);
    }

    /** Removes what was written; for a group that will not be committed. */
    public void discard() throws IOException {
        if (!folder.equals(target)) {
            delete(folder);
        }
    }

    private static void delete(Path tree) throws IOException {
        if (!Files.exists(tree)) {
            return;
        }
        Files.walkFileTree(tree, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.delete(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path dir, @Nullable IOException failed) throws IOException {
                if (failed != null) {
                    throw failed;
                }
                Files.delete(dir);
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
