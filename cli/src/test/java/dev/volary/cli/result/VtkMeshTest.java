// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.result;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.zarr.ChunkGrid;
import dev.volary.zarr.ResultAttributes;
import dev.volary.zarr.ZarrGroup;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class VtkMeshTest {
    @TempDir
    Path folder = Path.of("");

    /** Each array is found by its offset, as ParaView does. */
    @Test
    void trianglesInThePlaneAreWrittenWithTheirPointsAndValues() throws IOException {
        Path zarr = mesh(2, new double[] {0, 0, 1, 0, 0, 1, 1, 1}, 3, new double[] {0, 1, 2, 3, 2, 1});
        Path file = folder.resolve("result.vtu");
        VtkExport.write(zarr, file);
        byte[] all = Files.readAllBytes(file);
        String text = new String(all, StandardCharsets.ISO_8859_1);
        assertTrue(text.contains("NumberOfPoints=\"4\" NumberOfCells=\"2\""), text);
        assertTrue(text.contains("format=\"ascii\">1.0E-9<"), text);
        assertArrayEquals(new double[] {10, 11, 12, 13}, doubles(all, "x"));
        assertArrayEquals(new double[] {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0}, doubles(all, "Points"));
        assertArrayEquals(new long[] {0, 1, 2, 3, 2, 1}, longs(all, "connectivity"));
        assertArrayEquals(new long[] {3, 6}, longs(all, "offsets"));
        ByteBuffer types = array(all, "types");
        assertEquals(2, types.remaining());
        assertEquals(5, types.get());
        assertEquals(5, types.get());
        assertTrue(text.endsWith("\n  </AppendedData>\n</VTKFile>\n"), text);
    }

    @Test
    void theFormOfACellFollowsFromItsCornersAndTheAxes() throws IOException {
        double[] plane = {0, 0, 1, 0, 1, 1, 0, 1};
        double[] space = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
        assertEquals(3, type(mesh(2, plane, 2, new double[] {0, 1})));
        assertEquals(9, type(mesh(2, plane, 4, new double[] {0, 1, 2, 3})));
        assertEquals(10, type(mesh(3, space, 4, new double[] {0, 1, 2, 3})));
        assertEquals(5, type(mesh(3, space, 3, new double[] {0, 1, 2})));
        assertEquals(1, type(mesh(3, space, 0, new double[0])));
    }

    @Test
    void aCellWithoutItsPointIsRefusedAndLeavesNoFile() throws IOException {
        Path zarr = mesh(2, new double[] {0, 0, 1, 0, 0, 1, 1, 1}, 3, new double[] {0, 1, 4});
        assertThrows(IOException.class, () -> VtkExport.write(zarr, folder.resolve("result.vtu")));
        try (var files = Files.list(folder)) {
            assertEquals(List.of(zarr), files.toList());
        }
    }

    @Test
    void aMeshIsNotWrittenAsAnImage() throws IOException {
        Path zarr = mesh(2, new double[] {0, 0, 1, 0, 0, 1, 1, 1}, 3, new double[] {0, 1, 2});
        String message = String.valueOf(
                assertThrows(IOException.class, () -> VtkExport.write(zarr, folder.resolve("result.vti")))
                        .getMessage());
        assertTrue(message.contains("extension .vtu"), message);
    }

    private int type(Path zarr) throws IOException {
        Path file = folder.resolve("result.vtu");
        VtkExport.write(zarr, file);
        return array(Files.readAllBytes(file), "types").get();
    }

    private Path mesh(int axes, double[] coordinates, int corners, double[] cells) throws IOException {
        Path zarr = folder.resolve("result.zarr");
        ZarrGroup group = ZarrGroup.create(zarr);
        int points = coordinates.length / axes;
        double[] values = new double[points];
        java.util.Arrays.setAll(values, i -> 10 + i);
        group.createArray("x", ChunkGrid.bounded(new int[] {points}, 3), List.of("i"), Map.of())
                .writeAll(values);
        group.createMeshArray(
                        "coordinates",
                        ChunkGrid.of(new int[] {points, axes}, new int[] {3, axes}),
                        false,
                        List.of("i", "axis"))
                .writeAll(coordinates);
        if (corners > 0) {
            int[] shape = {cells.length / corners, corners};
            group.createMeshArray("cells", ChunkGrid.of(shape, new int[] {1, corners}), true, List.of("cell", "corner"))
                    .writeAll(cells);
        }
        group.commit(new ResultAttributes("job", "linear-system", true, 1e-9, 1e-8, 1e-8, 3).toMap());
        return zarr;
    }

    private static double[] doubles(byte[] file, String name) {
        ByteBuffer data = array(file, name);
        double[] values = new double[data.remaining() / Double.BYTES];
        data.asDoubleBuffer().get(values);
        return values;
    }

    private static long[] longs(byte[] file, String name) {
        ByteBuffer data = array(file, name);
        long[] values = new long[data.remaining() / Long.BYTES];
        data.asLongBuffer().get(values);
        return values;
    }

    private static ByteBuffer array(byte[] file, String name) {
        String text = new String(file, StandardCharsets.ISO_8859_1);
        Matcher offset =
                Pattern.compile("Name=\"" + name + "\"[^>]* offset=\"(\\d+)\"").matcher(text);
        assertTrue(offset.find(), name + " is not in " + text);
        int at = text.indexOf("\n_") + 2 + Integer.parseInt(offset.group(1));
        ByteBuffer all = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
        int bytes = (int) all.getLong(at);
        return all.slice(at + Long.BYTES, bytes).order(ByteOrder.LITTLE_ENDIAN);
    }
}
