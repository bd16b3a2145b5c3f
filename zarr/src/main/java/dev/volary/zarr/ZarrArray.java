// SPDX-License-Identifier: Apache-2.0
package dev.volary.zarr;

import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.ReadableByteChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32C;

/**
 * One array of doubles, or of whole numbers that this class gives and takes as doubles. Chunks may be written from several threads and processes at once, as long as no two write the same
 * chunk; {@link #write} touches every chunk that meets its box, so it wants a single writer.
 *
 * <p>A chunk is on the disk, complete, when its write returns. A chunk that was never written reads as NaN, or as -1
 * in an array of whole numbers.
 */
public final class ZarrArray {
    /** The attribute of an array whose first axis numbers the values of each point; its value is the name of that axis. */
    public static final String COMPONENTS = "components";

    /** The attribute that has the unit of an array's values, as xarray and the CF conventions have it. */
    public static final String UNITS = "units";

    /** The attribute of an array whose first axis numbers time steps, one chunk each; its value is the name of that axis. */
    public static final String TIME_STEPS = "time_steps";

    private static final String CHUNKS = "c";

    private static final int PIECE_BYTES = 1 << 20;

    private final Path chunks;
    private final ChunkGrid grid;
    private final ElementType type;
    private final List<String> dimensions;
    private final Map<String, Object> attributes;

    /** @param chunks the folder that the keys of chunks begin in */
    private ZarrArray(
            Path chunks, ChunkGrid grid, ElementType type, List<String> dimensions, Map<String, Object> attributes) {
        this.chunks = chunks;
        this.grid = grid;
        this.type = type;
        this.dimensions = List.copyOf(dimensions);
        this.attributes = Map.copyOf(attributes);
    }

    /**
     * Creates an array without chunks.
     *
     * @param folder a folder that does not exist yet
     * @param dimensions a name for each axis
     * @param attributes strings, numbers, booleans, lists and maps of them
     */
    public static ZarrArray create(Path folder, ChunkGrid grid, List<String> dimensions, Map<String, Object> attributes)
            throws IOException {
        return create(folder, grid, ElementType.FLOAT64, dimensions, attributes);
    }

    /** As {@link #create(Path, ChunkGrid, List, Map)}, of numbers of a type. */
    static ZarrArray create(
            Path folder, ChunkGrid grid, ElementType type, List<String> dimensions, Map<String, Object> attributes)
            throws IOException {
        if (dimensions.size() != grid.axes()) {
            throw new IllegalArgumentException(dimensions + " name not the axes of " + grid);
        }
        Files.createDirectories(folder);
        ZarrArray array = new ZarrArray(folder.resolve(CHUNKS), grid, type, dimensions, attributes);
        Metadata.write(folder, ArrayMetadata.toJson(grid, type, dimensions, attributes));
        return array;
    }

    /**
     * Opens an array that exists.
     *
     * @throws IOException if there is none, or one of another layout than this package writes
     */
    public static ZarrArray open(Path folder) throws IOException {
        Map<String, Object> metadata = Metadata.read(folder, "array");
        return new ZarrArray(
                folder.resolve(CHUNKS),
                ArrayMetadata.grid(folder, metadata),
                ArrayMetadata.type(folder, metadata),
                ArrayMetadata.dimensions(folder, metadata),
                Metadata.attributes(metadata));
    }

    /** Shape and chunks. */
    public ChunkGrid grid() {
        return grid;
    }

    /** A name for each axis. */
    public List<String> dimensions() {
        return dimensions;
    }

    public Map<String, Object> attributes() {
        return attributes;
    }

    /** Whether the first axis numbers time steps. */
    public boolean hasTimeSteps() {
        return dimensions.getFirst().equals(attributes.get(TIME_STEPS));
    }

    /**
     * The values at one index of the first axis, as an array of the other axes: the same files.
     *
     * @throws IllegalArgumentException unless this has other axes, and chunks with one index on the first one
     */
    public ZarrArray at(int index) {
        if (grid.axes() < 2 || grid.chunk()[0] != 1) {
            throw new IllegalArgumentException("chunks " + Arrays.toString(grid.chunk()) + " have not one index each");
        }
        return new ZarrArray(
                chunks.resolve(Integer.toString(index)),
                ChunkGrid.of(withoutFirst(grid.shape()), withoutFirst(grid.chunk())),
                type,
                dimensions.subList(1, dimensions.size()),
                attributes);
    }

    private static int[] withoutFirst(int[] axes) {
        return Arrays.copyOfRange(axes, 1, axes.length);
    }

    /**
     * Takes the chunks of an array with the same chunks: the same files where the file system has hard links, else copies. None is read.
     *
     * @throws IOException if one is missing or cannot be written
     */
    public void takeChunks(ZarrArray from) throws IOException {
        for (long number = 0; number < grid.chunks(); number++) {
            int[] coordinates = grid.coordinates(number);
            Path target = file(coordinates);
            Files.createDirectories(target.getParent());
            try {
                Files.createLink(target, from.file(coordinates));
            } catch (NoSuchFileException missing) {
                throw missing;
            } catch (UnsupportedOperationException | FileSystemException noLinks) {
                Files.copy(from.file(coordinates), target, StandardCopyOption.REPLACE_EXISTING);
            }
        }
    }

    /**
     * Looks whether every chunk is there, without reading it.
     *
     * @throws IOException naming the first chunk that is missing
     */
    public void requireAllChunks() throws IOException {
        for (long number = 0; number < grid.chunks(); number++) {
            requireFile(file(grid.coordinates(number)));
        }
    }

    /**
     * Writes one chunk and forces it to the disk.
     *
     * @param coordinates which chunk
     * @param values the part of it that lies within the array, row major
     */
    public void writeChunk(int[] coordinates, double[] values) throws IOException {
        int[] lo = grid.lo(coordinates);
        int[] extent = minus(grid.hi(coordinates), lo);
        if (values.length != product(extent)) {
            throw new IllegalArgumentException("chunk " + Arrays.toString(coordinates) + " holds " + product(extent)
                    + " values, not " + values.length);
        }
        double[] padded = values;
        if (!Arrays.equals(extent, grid.chunk())) {
            padded = new double[grid.chunkSize()];
            Arrays.fill(padded, type.fill());
            BoxCopy.copy(values, lo, extent, padded, lo, grid.chunk(), grid.shape());
        }
        store(coordinates, padded);
    }

    /**
     * As {@link #writeChunk(int[], double[])}, in pieces: the chunk is never whole in memory. For arrays of doubles only.
     *
     * @param values little-endian doubles, read up to the last one of the chunk
     */
    public void writeChunk(int[] coordinates, ReadableByteChannel values) throws IOException {
        int[] extent = minus(grid.hi(coordinates), grid.lo(coordinates));
        Path file = file(coordinates);
        Files.createDirectories(file.getParent());
        AtomicFiles.write(file, channel -> new ChunkStream(channel).write(values, extent, grid.chunk()));
    }

    /** Reads the part of one chunk that lies within the array, row major. */
    public double[] readChunk(int[] coordinates) throws IOException {
        int[] lo = grid.lo(coordinates);
        int[] extent = minus(grid.hi(coordinates), lo);
        double[] padded = load(coordinates);
        if (Arrays.equals(extent, grid.chunk())) {
            return padded;
        }
        double[] values = new double[product(extent)];
        BoxCopy.copy(padded, lo, grid.chunk(), values, lo, extent, grid.shape());
        return values;
    }

    /**
     * Maps one chunk into memory, padding included, row major: none of it is on the heap. For arrays of doubles only.
     *
     * @param arena that bounds the life of the mapping
     * @return little-endian doubles
     * @throws IOException naming the chunk if it is missing or does not match its checksum
     */
    public MemorySegment mapChunk(int[] coordinates, Arena arena) throws IOException {
        Path file = file(coordinates);
        checkChunk(file);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            return channel.map(FileChannel.MapMode.READ_ONLY, 0, (long) grid.chunkSize() * Double.BYTES, arena);
        }
    }

    /**
     * Writes any box; chunks that it covers in part are read first.
     *
     * @param lo first index on each axis
     * @param hi one past the last index on each axis
     * @param values the box, row major
     */
    public void write(int[] lo, int[] hi, double[] values) throws IOException {
        int[] extent = minus(hi, lo);
        if (values.length != product(extent)) {
            throw new IllegalArgumentException("box holds " + product(extent) + " values, not " + values.length);
        }
        for (long number = 0; number < grid.chunks(); number++) {
            int[] coordinates = grid.coordinates(number);
            int[] chunkLo = grid.lo(coordinates);
            int[] chunkHi = grid.hi(coordinates);
            if (meets(lo, hi, chunkLo, chunkHi)) {
                boolean whole = covers(lo, hi, chunkLo, chunkHi);
                double[] chunk = whole ? filled() : load(coordinates);
                BoxCopy.copy(values, lo, extent, chunk, chunkLo, grid.chunk(), grid.shape());
                store(coordinates, chunk);
            }
        }
    }

    /** Writes the whole array, row major. */
    public void writeAll(double[] values) throws IOException {
        write(new int[grid.axes()], grid.shape(), values);
    }

    /**
     * Reads a box, row major.
     *
     * @param lo first index on each axis
     * @param hi one past the last index on each axis
     */
    public double[] read(int[] lo, int[] hi) throws IOException {
        int[] extent = minus(hi, lo);
        double[] values = new double[product(extent)];
        for (long number = 0; number < grid.chunks(); number++) {
            int[] coordinates = grid.coordinates(number);
            int[] chunkLo = grid.lo(coordinates);
            if (meets(lo, hi, chunkLo, grid.hi(coordinates))) {
                BoxCopy.copy(load(coordinates), chunkLo, grid.chunk(), values, lo, extent, grid.shape());
            }
        }
        return values;
    }

    /** Reads the whole array, row major. */
    public double[] readAll() throws IOException {
        return read(new int[grid.axes()], grid.shape());
    }

    /**
     * Reads every chunk.
     *
     * @throws IOException naming the chunk if one is missing or does not match its checksum
     */
    public void check() throws IOException {
        for (long number = 0; number < grid.chunks(); number++) {
            checkChunk(file(grid.coordinates(number)));
        }
    }

    private void checkChunk(Path file) throws IOException {
        requireFile(file);
        checkFile(file);
    }

    private static void requireFile(Path file) throws IOException {
        if (!Files.exists(file)) {
            throw new IOException(file + " is missing: the array is not complete; write it again");
        }
    }

    /** Compares a chunk with its checksum, which follows it, in pieces: a chunk may be larger than the heap. */
    private void checkFile(Path file) throws IOException {
        long payload = (long) grid.chunkSize() * Double.BYTES;
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            requireSize(file, channel.size());
            CRC32C checksum = new CRC32C();
            ByteBuffer buffer = ByteBuffer.allocate(PIECE_BYTES).order(ByteOrder.LITTLE_ENDIAN);
            for (long left = payload; left > 0; ) {
                buffer.clear().limit((int) Math.min(buffer.capacity(), left));
                fill(channel, buffer);
                left -= buffer.limit();
                checksum.update(buffer.flip());
            }
            buffer.clear().limit(Integer.BYTES);
            fill(channel, buffer);
            requireChecksum(file, (int) checksum.getValue(), buffer.getInt(0));
        }
    }

    private static void fill(FileChannel channel, ByteBuffer buffer) throws IOException {
        while (buffer.hasRemaining()) {
            if (channel.read(buffer) < 0) {
                throw new EOFException("the file became shorter while it was read");
            }
        }
    }

    private Path file(int[] coordinates) {
        Path file = chunks;
        for (int c : coordinates) {
            file = file.resolve(Integer.toString(c));
        }
        return file;
    }

    private void store(int[] coordinates, double[] padded) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(Math.addExact(padded.length * Double.BYTES, Integer.BYTES))
                .order(ByteOrder.LITTLE_ENDIAN);
        type.put(padded, bytes);
        bytes.position(padded.length * Double.BYTES);
        CRC32C checksum = new CRC32C();
        checksum.update(bytes.duplicate().flip());
        bytes.putInt((int) checksum.getValue()).flip();
        Path file = file(coordinates);
        Files.createDirectories(file.getParent());
        AtomicFiles.write(file, bytes);
    }

    private double[] load(int[] coordinates) throws IOException {
        Path file = file(coordinates);
        if (!Files.exists(file)) {
            return filled();
        }
        ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
        int payload = grid.chunkSize() * Double.BYTES;
        requireSize(file, bytes.limit());
        CRC32C checksum = new CRC32C();
        checksum.update(bytes.duplicate().limit(payload));
        requireChecksum(file, (int) checksum.getValue(), bytes.getInt(payload));
        double[] padded = new double[grid.chunkSize()];
        type.get(bytes, padded);
        return padded;
    }

    private void requireSize(Path file, long bytes) throws IOException {
        long required = (long) grid.chunkSize() * Double.BYTES + Integer.BYTES;
        if (bytes != required) {
            throw new IOException(file + " has " + bytes + " bytes, must have " + required
                    + ": it is damaged; write the array again");
        }
    }

    private static void requireChecksum(Path file, int actual, int stored) throws IOException {
        if (actual != stored) {
            throw new IOException(file + " does not match its checksum: it is damaged; write the array again");
        }
    }

    private double[] filled() {
        double[] padded = new double[grid.chunkSize()];
        Arrays.fill(padded, type.fill());
        return padded;
    }

    private static boolean meets(int[] lo, int[] hi, int[] otherLo, int[] otherHi) {
        for (int a = 0; a < lo.length; a++) {
            if (lo[a] >= otherHi[a] || otherLo[a] >= hi[a]) {
                return false;
            }
        }
        return true;
    }

    private static boolean covers(int[] lo, int[] hi, int[] innerLo, int[] innerHi) {
        for (int a = 0; a < lo.length; a++) {
            if (lo[a] > innerLo[a] || hi[a] < innerHi[a]) {
                return false;
            }
        }
        return true;
    }

    private static int[] minus(int[] hi, int[] lo) {
        int[] extent = new int[lo.length];
        Arrays.setAll(extent, a -> hi[a] - lo[a]);
        return extent;
    }

    private static int product(int[] extent) {
        int product = 1;
        for (int e : extent) {
            product = Math.multiplyExact(product, e);
        }
        return product;
    }
}
