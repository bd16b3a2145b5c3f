// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.result;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.protocol.message.SnapshotMessage.StoredPart;
import dev.volary.protocol.model.GroupTerm;
import dev.volary.protocol.model.Incarnation;
import dev.volary.protocol.model.RecordedBlock;
import dev.volary.protocol.model.WorkerId;
import dev.volary.solver.Box;
import dev.volary.solver.Decomposition;
import dev.volary.solver.GridAxis;
import dev.volary.solver.IndexList;
import dev.volary.solver.Region;
import dev.volary.solver.Shape;
import dev.volary.solver.Subdomain;
import dev.volary.zarr.ZarrGroup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
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
    void theAxisOfTheComponentsIsNamed() throws IOException {
        Decomposition decomposition = decomposition(Shape.of(2, 3), List.of(IndexList.of(0, 1, 2, 3, 4, 5)));
        int checksum = new FilePartRepository(folder).store(4, 0, new double[] {0, 1, 2, 3, 4, 5}, 6);
        List<GridAxis> axes = List.of(GridAxis.components("species"), new GridAxis("x", -1, 1));
        new ZarrResultWriter(folder, decomposition, "c", axes).assemble(4, List.of(part(0, checksum)), Map.of());
        ZarrGroup group = ZarrGroup.open(folder.resolve("result.zarr"));
        assertEquals(Map.of("components", "species"), group.array("c").attributes());
        assertArrayEquals(new double[] {1, 2}, group.coordinates("species").orElseThrow());
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
