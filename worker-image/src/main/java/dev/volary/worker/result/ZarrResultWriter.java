// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.result;

import dev.volary.protocol.message.SnapshotMessage.StoredPart;
import dev.volary.solver.Box;
import dev.volary.solver.Decomposition;
import dev.volary.solver.GridAxis;
import dev.volary.solver.Shape;
import dev.volary.solver.Subdomain;
import dev.volary.zarr.ChunkGrid;
import dev.volary.zarr.ResultAttributes;
import dev.volary.zarr.WriteFailure;
import dev.volary.zarr.ZarrArray;
import dev.volary.zarr.ZarrGroup;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
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

    private static final String TIME = "time";

    private final Path folder;
    private final Decomposition decomposition;
    private final FieldDescription field;
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
                new FieldDescription(field, "", axes));
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
            FieldDescription field) {
        this.folder = folder;
        this.source = source;
        this.removed = removed;
        this.decomposition = decomposition;
        this.field = field;
    }

    /** Writes {@code result.zarr}, and removes the parts of the output folder. */
    @Override
    public void assemble(long sid, List<StoredPart> parts, Map<String, Object> attributes) throws IOException {
        assemble(group -> write(createArray(group), sid, parts), attributes);
    }

    /**
     * As {@link #assemble(long, List, Map)}, with the time steps before this one: the field gets a first dimension {@code time}, with
     * its coordinates, and the group the attributes {@code output_steps} and {@code output_residuals}.
     *
     * @param step of these parts, the last one
     * @throws IOException also if one of the steps before is missing
     */
    public void assembleSeries(
            long sid, List<StoredPart> parts, Map<String, Object> attributes, int step, OutputSteps outputs)
            throws IOException {
        List<OutputSteps.OutputStep> before = outputs.before(step);
        Series all = new Series(attributes, before);
        all.add(step, outputs.time(step), ResultAttributes.of(attributes));
        assemble(
                group -> {
                    ZarrArray series = createSeries(group, all.size());
                    takeSteps(before, series);
                    write(series.at(before.size()), sid, parts);
                    group.addCoordinates(TIME, all.times(), "s");
                },
                all.attributes());
    }

    /**
     * Writes {@code result.zarr} with all steps that are kept up to this one. A longer series has the same files and more, but for the
     * metadata and the chunk of times, in which the times of the shorter one do not change: a reader may read while it grows.
     *
     * @throws IOException also if one of the steps is missing
     */
    public void assembleSteps(Map<String, Object> attributes, int step, OutputSteps outputs) throws IOException {
        List<OutputSteps.OutputStep> kept = outputs.before(step + 1);
        Series all = new Series(attributes, kept);
        assemble(
                group -> {
                    takeSteps(kept, createSeries(group, all.size()));
                    group.addCoordinates(TIME, all.times(), "s", outputs.most());
                },
                all.attributes());
    }

    private void takeSteps(List<OutputSteps.OutputStep> kept, ZarrArray series) throws IOException {
        for (int i = 0; i < kept.size(); i++) {
            series.at(i).takeChunks(kept.get(i).group().array(field.name()));
        }
    }

    /** What a result with several time steps says of each of them. */
    private static final class Series {
        private final Map<String, Object> attributes;
        private final List<Integer> steps = new ArrayList<>();
        private final List<Object> residuals = new ArrayList<>();
        private final List<Object> snapshots = new ArrayList<>();
        private final List<Double> times = new ArrayList<>();

        Series(Map<String, Object> attributes, List<OutputSteps.OutputStep> kept) throws IOException {
            this.attributes = new LinkedHashMap<>(attributes);
            for (OutputSteps.OutputStep output : kept) {
                add(
                        output.step(),
                        output.time(),
                        ResultAttributes.of(output.group().attributes()));
            }
        }

        void add(int step, double time, ResultAttributes about) {
            steps.add(step);
            times.add(time);
            residuals.add(about.certifiedResidual());
            snapshots.add(about.snapshot());
        }

        int size() {
            return steps.size();
        }

        double[] times() {
            return times.stream().mapToDouble(Double::doubleValue).toArray();
        }

        Map<String, Object> attributes() {
            attributes.put(ResultAttributes.OUTPUT_STEPS, steps);
            attributes.put(ResultAttributes.OUTPUT_RESIDUALS, residuals);
            attributes.put(ResultAttributes.OUTPUT_SNAPSHOTS, snapshots);
            return attributes;
        }
    }

    private interface Filling {
        void fill(ZarrGroup group) throws IOException;
    }

    private void assemble(Filling filling, Map<String, Object> attributes) throws IOException {
        Path result = folder.resolve("result.zarr");
        Optional<ZarrGroup> group = Optional.empty();
        try {
            group = Optional.of(ZarrGroup.create(result));
            filling.fill(group.get());
            writeCoordinates(group.get());
            if (field.mesh() != null) {
                MeshArrays.write(field.mesh(), group.get());
            }
            group.get().array(field.name()).requireAllChunks();
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

    private ZarrArray createArray(ZarrGroup group) throws IOException {
        return group.createArray(field.name(), grid(), field.dimensions(decomposition.unknowns()), field.attributes());
    }

    /** One chunk for each step, and the chunks of a single step in it. */
    private ZarrArray createSeries(ZarrGroup group, int steps) throws IOException {
        ChunkGrid grid = grid();
        List<String> dimensions = new ArrayList<>(field.dimensions(decomposition.unknowns()));
        dimensions.addFirst(TIME);
        Map<String, Object> attributes = new LinkedHashMap<>(field.attributes());
        attributes.put(ZarrArray.TIME_STEPS, TIME);
        return group.createArray(
                field.name(),
                ChunkGrid.of(withFirst(steps, grid.shape()), withFirst(1, grid.chunk())),
                dimensions,
                attributes);
    }

    private static int[] withFirst(int first, int[] axes) {
        int[] all = new int[axes.length + 1];
        all[0] = first;
        System.arraycopy(axes, 0, all, 1, axes.length);
        return all;
    }

    /** The chunks of one step. */
    private ChunkGrid grid() {
        return fitting()
                .orElseGet(() -> ChunkGrid.bounded(decomposition.unknowns().extents(), CHUNK_ELEMENTS));
    }

    private Optional<ChunkGrid> fitting() {
        return boxes().flatMap(all -> fitting(decomposition.unknowns(), all));
    }

    private void write(ZarrArray array, long sid, List<StoredPart> parts) throws IOException {
        if (fitting().isPresent()) {
            writeBlocks(array, sid, parts);
        } else {
            writeInGlobalOrder(array, sid, parts);
        }
    }

    private void writeCoordinates(ZarrGroup group) throws IOException {
        Shape shape = decomposition.unknowns();
        for (int a = 0; a < field.axes().size(); a++) {
            GridAxis axis = field.axes().get(a);
            group.addCoordinates(axis.name(), axis.coordinates(shape.extent(a)), axis.unit());
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
}
