package dev.volary.cli.result;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.volary.solver.Box;
import dev.volary.solver.Decomposition;
import dev.volary.solver.Indices;
import dev.volary.solver.Part;
import dev.volary.solver.Range;
import dev.volary.solver.Region;
import dev.volary.solver.Shape;
import dev.volary.zarr.ZarrGroup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** However the unknowns are cut, the array has them in global order. */
class ResultSinkTest {
    private static final ResultAttributes ABOUT = new ResultAttributes("heat", "heat2d", 9e-5, 1.8e-4, 1e-4, 7, 1234);

    @TempDir
    Path folder;

    @Test
    void boxesThatFormAGridAreOneChunkEach() throws IOException {
        Decomposition strips = cut(
                Shape.of(5, 3),
                Box.of(new int[] {0, 0}, new int[] {2, 3}),
                Box.of(new int[] {2, 0}, new int[] {4, 3}),
                Box.of(new int[] {4, 0}, new int[] {5, 3}));
        assertArrayEquals(new int[] {2, 3}, ResultSink.grid(strips).chunk());
        assertArrayEquals(counting(15), written(strips));
    }

    @Test
    void boxesOfUnequalSizeStillArriveInTheirPlaces() throws IOException {
        assertArrayEquals(
                counting(15),
                written(cut(
                        Shape.of(5, 3),
                        Box.of(new int[] {0, 0}, new int[] {1, 3}),
                        Box.of(new int[] {1, 0}, new int[] {5, 1}),
                        Box.of(new int[] {1, 1}, new int[] {5, 3}))));
    }

    @Test
    void scatteredUnknownsAreGathered() throws IOException {
        assertArrayEquals(counting(6), written(cut(Shape.of(6), Indices.of(5, 0, 3), Indices.of(1, 4, 2))));
    }

    @Test
    void rangesOfAGridAreGathered() throws IOException {
        assertArrayEquals(counting(6), written(cut(Shape.of(2, 3), new Range(0, 4), new Range(4, 6))));
    }

    @Test
    void aMissingBlockIsNamedAndNothingIsCommitted() throws IOException {
        Path target = folder.resolve("result.zarr");
        try (ResultSink sink = ResultSink.create(target, "u", cut(Shape.of(4), new Range(0, 2), new Range(2, 4)))) {
            sink.put(0, new double[] {1, 2});
            assertEquals(
                    "block 1 of the result is missing; run the job again",
                    assertThrows(IOException.class, () -> sink.commit(ABOUT)).getMessage());
        }
        assertFalse(Files.exists(target));
        try (var left = Files.list(folder)) {
            assertEquals(0, left.count());
        }
    }

    @Test
    void theAttributesSayWhatTheResultIs() throws IOException {
        written(cut(Shape.of(2), new Range(0, 2)));
        assertEquals(
                ABOUT,
                ResultAttributes.of(
                        ZarrGroup.open(folder.resolve("result.zarr")).attributes()));
    }

    /** Writes a vector whose value is its index. */
    private double[] written(Decomposition decomposition) throws IOException {
        Path target = folder.resolve("result.zarr");
        try (ResultSink sink = ResultSink.create(target, "u", decomposition)) {
            for (Part part : decomposition.parts()) {
                long[] indices = part.core().indices(decomposition.unknowns());
                sink.put(part.id(), LongStream.of(indices).asDoubleStream().toArray());
            }
            sink.commit(ABOUT);
        }
        return ZarrGroup.open(target).array("u").readAll();
    }

    private static Decomposition cut(Shape shape, Region... cores) {
        List<Part> parts = new ArrayList<>();
        for (Region core : cores) {
            parts.add(new Part(parts.size(), core, 0, 0));
        }
        return new Decomposition(shape, parts, List.of());
    }

    private static double[] counting(int n) {
        double[] counting = new double[n];
        Arrays.setAll(counting, i -> i);
        return counting;
    }
}
