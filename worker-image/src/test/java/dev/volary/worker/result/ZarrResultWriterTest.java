// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.result;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.protocol.message.CommittedStep;
import dev.volary.protocol.message.SnapshotMessage.StoredPart;
import dev.volary.protocol.model.GroupTerm;
import dev.volary.protocol.model.Incarnation;
import dev.volary.protocol.model.RecordedBlock;
import dev.volary.protocol.model.WorkerId;
import dev.volary.solver.Box;
import dev.volary.solver.Decomposition;
import dev.volary.solver.GridAxis;
import dev.volary.solver.IndexList;
import dev.volary.solver.Mesh;
import dev.volary.solver.Region;
import dev.volary.solver.Shape;
import dev.volary.solver.Subdomain;
import dev.volary.solver.TimeStepping;
import dev.volary.zarr.ZarrArray;
import dev.volary.zarr.ZarrGroup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ZarrResultWriterTest {
    private static final Incarnation FIRST = new Incarnation(new GroupTerm(1, new WorkerId(1)), 1);

    @TempDir
    Path folder;

    @Test
    void regularBoxesBecomeOneChunkEach() throws IOException {
        assembles(
                Shape.of(5, 4),
                List.of(Box.of(new int[] {0, 0}, new int[] {3, 4}), Box.of(new int[] {3, 0}, new int[] {5, 4})));
        assertArrayEquals(
                new int[] {3, 4},
                ZarrGroup.open(folder.resolve("result.zarr")).array("u").grid().chunk());
    }

    @Test
    void irregularBoxesAreAssembled() throws IOException {
        assembles(
                Shape.of(5, 4),
                List.of(
                        Box.of(new int[] {0, 0}, new int[] {2, 4}),
                        Box.of(new int[] {2, 0}, new int[] {5, 3}),
                        Box.of(new int[] {2, 3}, new int[] {5, 4})));
    }

    @Test
    void scatteredIndicesAreWrittenInGlobalOrder() throws IOException {
        assembles(Shape.of(7), List.of(IndexList.of(0, 2, 4, 6), IndexList.of(5, 3, 1)));
    }

    @Test
    void aMissingPartLeavesTheEarlierResultInPlace() throws IOException {
        Shape shape = Shape.of(4);
        assembles(shape, List.of(IndexList.of(0, 1), IndexList.of(2, 3)));
        Decomposition decomposition = decomposition(shape, List.of(IndexList.of(0, 1), IndexList.of(2, 3)));
        List<StoredPart> parts = List.of(part(0, 0), part(1, 0));
        String missing = String.valueOf(assertThrows(
                        MissingPartException.class,
                        () -> new ZarrResultWriter(folder, decomposition, "u", List.of()).assemble(9, parts, Map.of()))
                .getMessage());
        assertTrue(missing.startsWith("block 0 of snapshot 9 cannot be read"), missing);
        assertFalse(missing.contains("space"), missing);
        assertArrayEquals(
                new double[] {0, 1, 2, 3},
                ZarrGroup.open(folder.resolve("result.zarr")).array("u").readAll());
    }

    @Test
    void aGridHasItsCoordinatesBesideItsValues() throws IOException {
        Shape shape = Shape.of(2, 3);
        Decomposition decomposition = decomposition(shape, List.of(IndexList.of(0, 1, 2, 3, 4, 5)));
        int checksum = new FilePartRepository(folder).store(4, 0, new double[] {0, 1, 2, 3, 4, 5}, 6);
        List<GridAxis> axes = List.of(new GridAxis("y", 0.5, 2), new GridAxis("x", -1, 1));
        new ZarrResultWriter(folder, decomposition, "u", axes).assemble(4, List.of(part(0, checksum)), Map.of());
        ZarrGroup group = ZarrGroup.open(folder.resolve("result.zarr"));
        assertEquals(List.of("u"), group.fields());
        assertEquals(List.of("y", "x"), group.array("u").dimensions());
        assertArrayEquals(new double[] {0.5, 2.5}, group.coordinates("y").orElseThrow());
        assertArrayEquals(new double[] {-1, 0, 1}, group.coordinates("x").orElseThrow());
        assertEquals(Optional.empty(), group.coordinates("u"));
        assertEquals(Optional.empty(), group.coordinates("z"));
    }

    @Test
    void theMeshOfAVectorIsBesideItsValues() throws IOException {
        Decomposition decomposition = decomposition(Shape.of(3), List.of(IndexList.of(0, 1, 2)));
        int checksum = new FilePartRepository(folder).store(4, 0, new double[] {5, 6, 7}, 3);
        FieldDescription field = new FieldDescription("x", "", List.of(), new Triangle());
        new ZarrResultWriter(folder, new FilePartRepository(folder), Optional.empty(), decomposition, field)
                .assemble(4, List.of(part(0, checksum)), Map.of());
        ZarrGroup group = ZarrGroup.open(folder.resolve("result.zarr"));
        assertEquals(List.of("x"), group.fields());
        assertArrayEquals(
                new double[] {0, 0, 1, 0, 0, 1},
                group.meshArray("coordinates").orElseThrow().readAll());
        assertArrayEquals(
                new double[] {0, 1, 2}, group.meshArray("cells").orElseThrow().readAll());
    }

    private static final class Triangle implements Mesh {
        @Override
        public int points() {
            return 3;
        }

        @Override
        public int axes() {
            return 2;
        }

        @Override
        public int cells() {
            return 1;
        }

        @Override
        public int corners() {
            return 3;
        }

        @Override
        public void readCoordinates(Sink sink) throws IOException {
            for (double value : new double[] {0, 0, 1, 0, 0, 1}) {
                sink.accept(value);
            }
        }

        @Override
        public void readCells(Sink sink) throws IOException {
            for (double value : new double[] {0, 1, 2}) {
                sink.accept(value);
            }
        }
    }

    @Test
    void theAxisOfTheComponentsIsNamed() throws IOException {
        Decomposition decomposition = decomposition(Shape.of(2, 3), List.of(IndexList.of(0, 1, 2, 3, 4, 5)));
        int checksum = new FilePartRepository(folder).store(4, 0, new double[] {0, 1, 2, 3, 4, 5}, 6);
        List<GridAxis> axes = List.of(GridAxis.components("species"), new GridAxis("x", -1, 1));
        new ZarrResultWriter(folder, decomposition, "c", axes).assemble(4, List.of(part(0, checksum)), Map.of());
        ZarrGroup group = ZarrGroup.open(folder.resolve("result.zarr"));
        assertEquals(Map.of("components", "species"), group.array("c").attributes());
        assertArrayEquals(new double[] {1, 2}, group.coordinates("species").orElseThrow());
    }

    /** Of four steps the second one is kept, by two leaders, and the fourth one is the last. */
    @Test
    void theTimeStepsOfAResultAreAlongItsFirstDimension() throws IOException {
        Shape shape = Shape.of(5, 4);
        List<Region> cores =
                List.of(Box.of(new int[] {0, 0}, new int[] {3, 4}), Box.of(new int[] {3, 0}, new int[] {5, 4}));
        Decomposition decomposition = decomposition(shape, cores);
        OutputSteps outputs = new OutputSteps(folder, new TimeStepping(4, 0.5), 2, 1);
        CommittedStep second = new CommittedStep(2, 7, 1e-9, store(decomposition, 7, 100));
        for (int leader = 0; leader < 2; leader++) {
            outputs.keep(
                    second,
                    into -> new ZarrResultWriter(into, folder, decomposition, "u", List.of())
                            .assemble(7, second.parts(), Map.of("snapshot", 7L, "certified_residual", 1e-9)));
        }
        List<StoredPart> last = store(decomposition, 9, 200);
        ZarrResultWriter writer = new ZarrResultWriter(folder, decomposition, "u", List.of());
        writer.assembleSeries(9, last, Map.of("certified_residual", 1e-8), 4, outputs);
        ZarrGroup group = ZarrGroup.open(folder.resolve("result.zarr"));
        ZarrArray array = group.array("u");
        assertEquals(List.of("time", "y", "x"), array.dimensions());
        assertArrayEquals(new int[] {2, 5, 4}, array.grid().shape());
        assertArrayEquals(new double[] {1, 2}, group.coordinates("time").orElseThrow());
        assertEquals("s", group.unit("time"));
        assertEquals(List.of(2L, 4L), group.attributes().get("output_steps"));
        assertEquals(List.of(1e-9, 1e-8), group.attributes().get("output_residuals"));
        assertEquals(List.of("u"), group.fields());
        double[] all = array.readAll();
        for (int i = 0; i < all.length; i++) {
            assertEquals(i < 20 ? 100 + i : 180 + i, all[i]);
        }
        assertArrayEquals(Arrays.copyOfRange(all, 20, 40), array.at(1).readAll());
    }

    @Test
    void aTimeStepThatIsMissingFailsTheResult() throws IOException {
        Decomposition decomposition = decomposition(Shape.of(2), List.of(IndexList.of(0, 1)));
        List<StoredPart> last = store(decomposition, 9, 0);
        OutputSteps outputs = new OutputSteps(folder, new TimeStepping(3, 1), 1, 2);
        String missing = String.valueOf(assertThrows(
                        IOException.class,
                        () -> new ZarrResultWriter(folder, decomposition, "u", List.of())
                                .assembleSeries(9, last, Map.of(), 3, outputs))
                .getMessage());
        assertTrue(missing.contains(".steps/2.zarr"), missing);
        assertFalse(Files.exists(folder.resolve("result.zarr")));
    }

    @Test
    void unitsAreAttributes() throws IOException {
        Decomposition decomposition = decomposition(Shape.of(2), List.of(IndexList.of(0, 1)));
        List<StoredPart> parts = store(decomposition, 4, 0);
        FieldDescription field = new FieldDescription("c", "1/cm^3", List.of(new GridAxis("x", 0, 5, "km")));
        new ZarrResultWriter(folder, new FilePartRepository(folder), Optional.empty(), decomposition, field)
                .assemble(4, parts, Map.of());
        ZarrGroup group = ZarrGroup.open(folder.resolve("result.zarr"));
        assertEquals("1/cm^3", group.unit("c"));
        assertEquals("km", group.unit("x"));
    }

    /** Stores a vector that counts up from {@code first}. */
    private List<StoredPart> store(Decomposition decomposition, long sid, double first) throws IOException {
        FilePartRepository store = new FilePartRepository(folder);
        List<StoredPart> parts = new ArrayList<>();
        for (Subdomain part : decomposition.parts()) {
            double[] values = Arrays.stream(part.core().indices(decomposition.unknowns()))
                    .mapToDouble(index -> first + index)
                    .toArray();
            parts.add(part(part.id(), store.store(sid, part.id(), values, values.length)));
        }
        return parts;
    }

    /** Each unknown holds its own global index, so the assembled array must count up. */
    private void assembles(Shape shape, List<Region> cores) throws IOException {
        Decomposition decomposition = decomposition(shape, cores);
        FilePartRepository store = new FilePartRepository(folder);
        List<StoredPart> parts = new ArrayList<>();
        for (Subdomain part : decomposition.parts()) {
            double[] values = new double[part.core().size()];
            long[] indices = part.core().indices(shape);
            for (int i = 0; i < values.length; i++) {
                values[i] = indices[i];
            }
            parts.add(part(part.id(), store.store(4, part.id(), values, values.length)));
        }
        new ZarrResultWriter(folder, decomposition, "u", List.of()).assemble(4, parts, Map.of("job", "test"));
        ZarrGroup group = ZarrGroup.open(folder.resolve("result.zarr"));
        double[] all = group.array("u").readAll();
        for (int i = 0; i < all.length; i++) {
            assertEquals(i, all[i]);
        }
        assertEquals("test", group.attributes().get("job"));
        assertFalse(Files.exists(folder.resolve(".parts")));
    }

    private static Decomposition decomposition(Shape shape, List<Region> cores) {
        List<Subdomain> parts = new ArrayList<>();
        for (Region core : cores) {
            parts.add(new Subdomain(parts.size(), core, 8L * core.size(), core.size()));
        }
        return new Decomposition(shape, parts, List.of());
    }

    private static StoredPart part(int block, int checksum) {
        return new StoredPart(new RecordedBlock(block, FIRST, 0), checksum);
    }
}
