// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.result;

import dev.volary.protocol.message.SnapshotMessage.StoredPart;
import dev.volary.solver.Box;
import dev.volary.solver.Decomposition;
import dev.volary.solver.GridAxis;
import dev.volary.solver.Shape;
import dev.volary.solver.Subdomain;
import dev.volary.zarr.ChunkGrid;
import dev.volary.zarr.WriteFailure;
import dev.volary.zarr.ZarrArray;
import dev.volary.zarr.ZarrGroup;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Puts the durable parts of one snapshot together as a Zarr array in global index order: one chunk per block where the blocks
 * are a regular grid of boxes. The array appears under its final name only when it is complete.
 */
public final class ZarrResultWriter implements ResultWriter {
    /** Elements of a chunk where blocks are no chunks: 8 MiB. */
    private static final int CHUNK_ELEMENTS = 1 << 20;

    private final Path folder;
    private final Decomposition decomposition;
    private final String field;
    private final List<GridAxis> axes;
    private final PartFiles source;
    private final Optional<FilePartRepository> removed;

    /**
     * Of parts in the job's output folder.
     *
     * @param folder the job's output folder
     * @param field name of the array
     * @param axes where the unknowns lie; empty if they have no coordinates
     */
    public ZarrResultWriter(Path folder, Decomposition decomposition, String field, List<GridAxis> axes) {
        this(folder, folder, decomposition, field, axes);
    }

    /**
     * As {@link #ZarrResultWriter(Path, Decomposition, String, List)}.
     *
     * @param parts the folder in which the parts are; they stay, unless it is the output folder
     */
    public ZarrResultWriter(Path folder, Path parts, Decomposition decomposition, String field, List<GridAxis> axes) {
        this(
                folder,
                new FilePartRepository(parts),
                parts.equals(folder) ? Optional.of(new FilePartRepository(parts)) : Optional.empty(),
                decomposition,
                field,
                axes);
    }

    /**
     * As {@link #ZarrResultWriter(Path, Decomposition, String, List)}.
     *
     * @param source that parts are read from
     * @param removed whose parts are removed once the result is complete
     */
    public ZarrResultWriter(
            Path folder,
            PartFiles source,
            Optional<FilePartRepository> removed,
            Decomposition decomposition,
            String field,
            List<GridAxis> axes) {
        this.folder = folder;
        this.source = source;
        this.removed = removed;
        this.decomposition = decomposition;
        this.field = field;
        this.axes = List.copyOf(axes);
    }

    /** Writes {@code result.zarr}, and removes the parts of the output folder. */
    @Override
    public void assemble(long sid, List<StoredPart> parts, Map<String, Object> attributes) throws IOException {
        Path result = folder.resolve("result.zarr");
        Optional<ZarrGroup> group = Optional.empty();
        try {
            group = Optional.of(ZarrGroup.create(result));
            write(group.get(), sid, parts);
            writeCoordinates(group.get());
            group.get().commit(attributes);
        } catch (IOException e) {
            if (group.isPresent()) {
                discard(group.get(), e);
            }
            throw e instanceof MissingPartException ? e : WriteFailure.of(result, e);
        }
        if (removed.isPresent()) {
            removed.get().clear();
        }
    }

    private static void discard(ZarrGroup unfinished, IOException cause) {
        try {
            unfinished.discard();
        } catch (IOException stays) {
            cause.addSuppressed(stays);
        }
    }

    private FileChannel open(long sid, Subdomain part, int checksum) throws MissingPartException {
        try {
            return source.open(sid, part.id(), part.core().size(), checksum);
        } catch (IOException e) {
            throw new MissingPartException(sid, part.id(), e);
        }
    }

    private void write(ZarrGroup group, long sid, List<StoredPart> parts) throws IOException {
        Shape shape = decomposition.unknowns();
        Optional<ChunkGrid> fitting = boxes().flatMap(all -> fitting(shape, all));
        ChunkGrid grid = fitting.orElseGet(() -> ChunkGrid.bounded(shape.extents(), CHUNK_ELEMENTS));
        ZarrArray array = group.createArray(field, grid, dimensions(shape), attributes());
        if (fitting.isPresent()) {
            writeBlocks(array, sid, parts);
        } else {
            writeInGlobalOrder(array, sid, parts);
        }
    }

    private void writeCoordinates(ZarrGroup group) throws IOException {
        Shape shape = decomposition.unknowns();
        for (int a = 0; a < axes.size(); a++) {
            GridAxis axis = axes.get(a);
            group.addCoordinates(axis.name(), axis.coordinates(shape.extent(a)));
        }
    }

    /** Every block is a chunk. */
    private void writeBlocks(ZarrArray array, long sid, List<StoredPart> parts) throws IOException {
        int[] chunk = array.grid().chunk();
        for (StoredPart stored : parts) {
            Subdomain part = decomposition.parts().get(stored.part().block());
            int[] coordinates = lo((Box) part.core());
            for (int a = 0; a < coordinates.length; a++) {
                coordinates[a] /= chunk[a];
            }
            try (FileChannel values = open(sid, part, stored.checksum())) {
                array.writeChunk(coordinates, values);
            }
        }
    }

    /** A chunk has values of several blocks: a file holds the vector in the order of its global indices meanwhile. */
    private void writeInGlobalOrder(ZarrArray array, long sid, List<StoredPart> parts) throws IOException {
        Shape shape = decomposition.unknowns();
        try (GlobalVector vector = GlobalVector.create(folder.resolve(".vector"), shape)) {
            for (StoredPart stored : parts) {
                Subdomain part = decomposition.parts().get(stored.part().block());
                try (FileChannel values = open(sid, part, stored.checksum())) {
                    vector.scatter(part.core(), values);
                }
            }
            for (long number = 0; number < array.grid().chunks(); number++) {
                int[] coordinates = array.grid().coordinates(number);
                array.writeChunk(
                        coordinates,
                        vector.read(array.grid().lo(coordinates), array.grid().hi(coordinates)));
            }
        }
    }

    private Optional<List<Box>> boxes() {
        List<Box> boxes = new ArrayList<>();
        for (Subdomain part : decomposition.parts()) {
            if (!(part.core() instanceof Box box)) {
                return Optional.empty();
            }
            boxes.add(box);
        }
        return Optional.of(boxes);
    }

    private static Optional<ChunkGrid> fitting(Shape shape, List<Box> boxes) {
        return ChunkGrid.fitting(
                shape.extents(),
                boxes.stream().map(ZarrResultWriter::lo).toList(),
                boxes.stream().map(ZarrResultWriter::hi).toList());
    }

    private static int[] lo(Box box) {
        int[] lo = new int[box.axes()];
        java.util.Arrays.setAll(lo, box::lo);
        return lo;
    }

    private static int[] hi(Box box) {
        int[] hi = new int[box.axes()];
        java.util.Arrays.setAll(hi, box::hi);
        return hi;
    }

    /** Names the axis of the components, if there is one, for those who show the field. */
    private Map<String, Object> attributes() {
        return axes.isEmpty() || axes.getFirst().isSpace()
                ? Map.of()
                : Map.of(ZarrArray.COMPONENTS, axes.getFirst().name());
    }

    private List<String> dimensions(Shape shape) {
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
