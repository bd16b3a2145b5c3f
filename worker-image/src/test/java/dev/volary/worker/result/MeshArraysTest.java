// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.result;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.solver.Mesh;
import dev.volary.zarr.ChunkGrid;
import dev.volary.zarr.ZarrArray;
import dev.volary.zarr.ZarrGroup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MeshArraysTest {
    /** More rows than a chunk of 2²⁰ numbers has, and not a multiple of them. */
    private static final int POINTS = 600_000;

    @TempDir
    Path folder;

    /** Points k with the coordinates k and k/2, and lines from each to the next. */
    private record Chain(int points, int cells) implements Mesh {
        @Override
        public int axes() {
            return 2;
        }

        @Override
        public int corners() {
            return 2;
        }

        @Override
        public void readCoordinates(Sink sink) throws IOException {
            for (int k = 0; k < points; k++) {
                sink.accept(k);
                sink.accept(k / 2.0);
            }
        }

        @Override
        public void readCells(Sink sink) throws IOException {
            for (int k = 0; k < cells; k++) {
                sink.accept(k);
                sink.accept(k + 1.0);
            }
        }
    }

    @Test
    void aMeshOfSeveralChunksIsReadBackAsItWas() throws IOException {
        ZarrGroup group = written(new Chain(POINTS, POINTS - 1));
        ZarrArray coordinates = group.meshArray("coordinates").orElseThrow();
        ZarrArray cells = group.meshArray("cells").orElseThrow();
        assertArrayEquals(new int[] {POINTS, 2}, coordinates.grid().shape());
        assertEquals(2, coordinates.grid().chunks());
        double[] places = coordinates.readAll();
        double[] corners = cells.readAll();
        for (int k = 0; k < POINTS - 1; k++) {
            assertEquals(k / 2.0, places[2 * k + 1]);
            assertEquals(k, corners[2 * k]);
            assertEquals(k + 1, corners[2 * k + 1]);
        }
    }

    @Test
    void aMeshIsNoFieldAndItsCellsAreWholeNumbers() throws IOException {
        ZarrGroup group = written(new Chain(3, 2));
        assertEquals(List.of("u"), group.fields());
        String metadata = Files.readString(group.folder().resolve("cells/zarr.json"));
        assertTrue(metadata.contains("\"int64\""), metadata);
        group.array("cells").check();
    }

    @Test
    void pointsWithoutCellsHaveNoArrayOfCells() throws IOException {
        assertTrue(written(new Chain(3, 0)).meshArray("cells").isEmpty());
    }

    private ZarrGroup written(Mesh mesh) throws IOException {
        ZarrGroup group = ZarrGroup.create(folder.resolve("result.zarr"));
        group.createArray("u", ChunkGrid.bounded(new int[] {2}, 2), List.of("i"), Map.of())
                .writeAll(new double[] {1, 2});
        MeshArrays.write(mesh, group);
        return group.commit(Map.of());
    }
}
