// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.result;

import dev.volary.solver.Mesh;
import dev.volary.zarr.ChunkGrid;
import dev.volary.zarr.ZarrArray;
import dev.volary.zarr.ZarrGroup;
import java.io.IOException;
import java.util.List;

/** Writes the mesh of a field into the group of its result, one chunk in memory at a time. */
final class MeshArrays {
    /** Elements of a chunk: 8 MiB. */
    private static final int CHUNK_ELEMENTS = 1 << 20;

    private MeshArrays() {}

    static void write(Mesh mesh, ZarrGroup group) throws IOException {
        ZarrArray coordinates = group.createMeshArray(
                ZarrGroup.MESH_COORDINATES, rows(mesh.points(), mesh.axes()), false, List.of("i", "axis"));
        Chunks places = new Chunks(coordinates);
        mesh.readCoordinates(places::add);
        coordinates.requireAllChunks();
        if (mesh.cells() > 0) {
            ZarrArray cells = group.createMeshArray(
                    ZarrGroup.MESH_CELLS, rows(mesh.cells(), mesh.corners()), true, List.of("cell", "corner"));
            Chunks corners = new Chunks(cells);
            mesh.readCells(corners::add);
            cells.requireAllChunks();
        }
    }

    private static ChunkGrid rows(int rows, int columns) {
        return ChunkGrid.of(new int[] {rows, columns}, new int[] {Math.min(rows, CHUNK_ELEMENTS / columns), columns});
    }

    /** Takes the elements of an array with chunks of whole rows, and writes a chunk when it is full. */
    private static final class Chunks {
        private final ZarrArray array;
        private int[] chunk = {0, 0};
        private double[] values;
        private int filled;

        Chunks(ZarrArray array) {
            this.array = array;
            this.values = new double[size()];
        }

        private int size() {
            int[] lo = array.grid().lo(chunk);
            int[] hi = array.grid().hi(chunk);
            return (hi[0] - lo[0]) * (hi[1] - lo[1]);
        }

        void add(double value) throws IOException {
            values[filled++] = value;
            if (filled == values.length) {
                array.writeChunk(chunk, values);
                chunk = new int[] {chunk[0] + 1, 0};
                if (chunk[0] * (long) array.grid().chunk()[0] < array.grid().shape()[0]) {
                    values = new double[size()];
                }
                filled = 0;
            }
        }
    }
}
