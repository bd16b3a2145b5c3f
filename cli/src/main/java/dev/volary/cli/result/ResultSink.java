package dev.volary.cli.result;

import dev.volary.solver.Box;
import dev.volary.solver.Decomposition;
import dev.volary.solver.Indices;
import dev.volary.solver.Part;
import dev.volary.solver.Range;
import dev.volary.solver.Region;
import dev.volary.solver.Shape;
import dev.volary.zarr.ChunkGrid;
import dev.volary.zarr.ZarrArray;
import dev.volary.zarr.ZarrGroup;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Takes the blocks of a certified vector and makes the Zarr array of them, in global index order. Rectangular blocks go to the
 * disk as they come, one chunk for each block where they form a grid; blocks of scattered unknowns are gathered in memory
 * first. One thread at a time.
 */
public final class ResultSink implements AutoCloseable {
    /** Elements of a chunk where blocks do not form a grid: 8 MiB. */
    private static final int CHUNK = 1 << 20;

    private final ZarrGroup group;
    private final ZarrArray array;
    private final Decomposition decomposition;
    private final Optional<double[]> gathered;
    private final BitSet received = new BitSet();
    private boolean committed;

    private ResultSink(ZarrGroup group, ZarrArray array, Decomposition decomposition, Optional<double[]> gathered) {
        this.group = group;
        this.array = array;
        this.decomposition = decomposition;
        this.gathered = gathered;
    }

    /**
     * Starts a result; an earlier one stays until {@link #commit}.
     *
     * @param target the final place of the Zarr group
     * @param field the name of the array
     */
    public static ResultSink create(Path target, String field, Decomposition decomposition) throws IOException {
        Shape shape = decomposition.unknowns();
        ChunkGrid grid = grid(decomposition);
        ZarrGroup group = ZarrGroup.create(target);
        ZarrArray array = group.createArray(field, grid, dimensions(shape.axes()), Map.of());
        boolean isScattered = decomposition.parts().stream()
                .anyMatch(p -> bounds(p.core(), shape).isEmpty());
        Optional<double[]> gathered =
                isScattered ? Optional.of(new double[Math.toIntExact(shape.size())]) : Optional.empty();
        return new ResultSink(group, array, decomposition, gathered);
    }

    /** The grid of chunks that a result of this decomposition gets: one chunk for each block where that is possible. */
    public static ChunkGrid grid(Decomposition decomposition) {
        Shape shape = decomposition.unknowns();
        List<int[]> lo = new ArrayList<>();
        List<int[]> hi = new ArrayList<>();
        for (Part part : decomposition.parts()) {
            Optional<int[][]> bounds = bounds(part.core(), shape);
            if (bounds.isEmpty()) {
                return ChunkGrid.bounded(shape.extents(), CHUNK);
            }
            lo.add(bounds.get()[0]);
            hi.add(bounds.get()[1]);
        }
        return ChunkGrid.fitting(shape.extents(), lo, hi).orElseGet(() -> ChunkGrid.bounded(shape.extents(), CHUNK));
    }

    /**
     * Takes one block; giving it again replaces it.
     *
     * @param block its number
     * @param core its values, in the order of its region
     */
    public void put(int block, double[] core) throws IOException {
        Region region = decomposition.parts().get(block).core();
        if (core.length != region.size()) {
            throw new IllegalArgumentException(
                    "block " + block + " has " + region.size() + " unknowns, but " + core.length + " values came");
        }
        Shape shape = decomposition.unknowns();
        if (gathered.isPresent()) {
            double[] all = gathered.get();
            int[] next = {0};
            region.forEach(shape, index -> all[Math.toIntExact(index)] = core[next[0]++]);
        } else {
            int[][] bounds = bounds(region, shape).orElseThrow();
            array.write(bounds[0], bounds[1], core);
        }
        received.set(block);
    }

    /**
     * Completes the result and gives it its name.
     *
     * @throws IOException if a block is missing, or the disk refuses
     */
    public void commit(ResultAttributes attributes) throws IOException {
        int missing = received.nextClearBit(0);
        if (missing < decomposition.blocks()) {
            throw new IOException("block " + missing + " of the result is missing; run the job again");
        }
        if (gathered.isPresent()) {
            array.writeAll(gathered.get());
        }
        group.commit(attributes.toMap());
        committed = true;
    }

    /** Removes what was written, unless it was committed. */
    @Override
    public void close() throws IOException {
        if (!committed) {
            group.discard();
        }
    }

    private static Optional<int[][]> bounds(Region region, Shape shape) {
        return switch (region) {
            case Box box -> {
                int[] lo = new int[box.axes()];
                int[] hi = new int[box.axes()];
                Arrays.setAll(lo, box::lo);
                Arrays.setAll(hi, box::hi);
                yield Optional.of(new int[][] {lo, hi});
            }
            case Range range
            when shape.axes() == 1 ->
                Optional.of(new int[][] {{Math.toIntExact(range.lo())}, {Math.toIntExact(range.hi())}});
            case Range ignored -> Optional.empty();
            case Indices ignored -> Optional.empty();
        };
    }

    private static List<String> dimensions(int axes) {
        return switch (axes) {
            case 1 -> List.of("i");
            case 2 -> List.of("y", "x");
            case 3 -> List.of("z", "y", "x");
            default -> IntStream.range(0, axes).mapToObj(a -> "axis" + a).toList();
        };
    }
}
