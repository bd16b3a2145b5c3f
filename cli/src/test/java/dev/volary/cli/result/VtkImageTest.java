// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.result;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.zarr.ChunkGrid;
import dev.volary.zarr.ResultAttributes;
import dev.volary.zarr.ZarrArray;
import dev.volary.zarr.ZarrGroup;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class VtkImageTest {
    @TempDir
    Path folder = Path.of("");

    /** Two layers of 3 × 4 values that count up in row-major order, in chunks of 1 × 2 × 4. */
    @Test
    void aGridIsWrittenWithItsPlaceAndItsValuesInOrder() throws IOException {
        ZarrGroup group = ZarrGroup.create(folder.resolve("result.zarr"));
        ZarrArray array = group.createArray(
                "u", ChunkGrid.of(new int[] {2, 3, 4}, new int[] {1, 2, 4}), List.of("z", "y", "x"), Map.of());
        double[] values = new double[24];
        Arrays.setAll(values, i -> i);
        array.write(new int[3], new int[] {2, 3, 4}, values);
        group.addCoordinates("z", new double[] {-1, 1});
        group.addCoordinates("y", new double[] {0.25, 0.5, 0.75});
        group.addCoordinates("x", new double[] {0.2, 0.4, 0.6, 0.8});
        group.commit(new ResultAttributes("job", "poisson3d", true, 1e-9, 1e-8, 1e-8, 3).toMap());
        Path file = folder.resolve("result.vti");
        VtkExport.write(folder.resolve("result.zarr"), file);
        byte[] all = Files.readAllBytes(file);
        String text = new String(all, StandardCharsets.ISO_8859_1);
        assertTrue(text.contains("WholeExtent=\"0 3 0 2 0 1\" Origin=\"0.2 0.25 -1.0\""), text);
        assertTrue(text.contains("Spacing=\"0.20000000000000004 0.25 2.0\""), text);
        assertTrue(text.contains("Name=\"certified_residual\" NumberOfTuples=\"1\" format=\"ascii\">1.0E-9<"), text);
        ByteBuffer data = ByteBuffer.wrap(all).order(ByteOrder.LITTLE_ENDIAN);
        data.position(text.indexOf("\n_") + 2);
        assertEquals(24 * Double.BYTES, data.getLong());
        double[] written = new double[24];
        for (int i = 0; i < written.length; i++) {
            written[i] = data.getDouble();
        }
        assertArrayEquals(values, written);
        assertTrue(text.endsWith("\n  </AppendedData>\n</VTKFile>\n"), text);
    }

    /** In chunks of 2 × 1 × 2 values, which hold both components. */
    @Test
    void everyComponentIsAnArrayOfItsOwn() throws IOException {
        ZarrGroup group = ZarrGroup.create(folder.resolve("result.zarr"));
        ZarrArray array = group.createArray(
                "c",
                ChunkGrid.of(new int[] {2, 3, 2}, new int[] {2, 1, 2}),
                List.of("species", "z", "x"),
                Map.of("components", "species"));
        double[] values = new double[12];
        Arrays.setAll(values, i -> i);
        array.write(new int[3], new int[] {2, 3, 2}, values);
        group.commit(Map.of());
        Path file = folder.resolve("result.vti");
        VtkExport.write(folder.resolve("result.zarr"), file);
        byte[] all = Files.readAllBytes(file);
        String text = new String(all, StandardCharsets.ISO_8859_1);
        assertTrue(text.contains("WholeExtent=\"0 1 0 2 0 0\""), text);
        assertTrue(text.contains("Name=\"c1\" format=\"appended\" offset=\"0\"/>"), text);
        assertTrue(text.contains("Name=\"c2\" format=\"appended\" offset=\"56\"/>"), text);
        ByteBuffer data = ByteBuffer.wrap(all).order(ByteOrder.LITTLE_ENDIAN);
        data.position(text.indexOf("\n_") + 2);
        for (int i = 0; i < values.length; i++) {
            if (i % 6 == 0) {
                assertEquals(6 * Double.BYTES, data.getLong());
            }
            assertEquals(i, data.getDouble());
        }
    }

    @Test
    void timeStepsAreASeriesOfImagesWithTheirTimes() throws IOException {
        ZarrGroup group = ZarrGroup.create(folder.resolve("result.zarr"));
        ZarrArray array = group.createArray(
                "u",
                ChunkGrid.of(new int[] {2, 3}, new int[] {1, 3}),
                List.of("time", "x"),
                Map.of("time_steps", "time"));
        array.writeAll(new double[] {1, 2, 3, 4, 5, 6});
        group.addCoordinates("time", new double[] {0.5, 5}, "s");
        group.commit(Map.of("output_steps", List.of(1, 10), "output_residuals", List.of(1e-9, 2e-9)));
        Path zarr = folder.resolve("result.zarr");
        VtkExport.writeSeries(ResultField.steps(zarr), folder.resolve("result.pvd"));
        String text = Files.readString(folder.resolve("result.pvd"));
        assertTrue(text.contains("<DataSet timestep=\"0.5\" part=\"0\" file=\"result-01.vti\"/>"), text);
        assertTrue(text.contains("<DataSet timestep=\"5.0\" part=\"0\" file=\"result-10.vti\"/>"), text);
        byte[] last = Files.readAllBytes(folder.resolve("result-10.vti"));
        String header = new String(last, StandardCharsets.ISO_8859_1);
        assertTrue(header.contains("format=\"ascii\">2.0E-9<"), header);
        ByteBuffer data = ByteBuffer.wrap(last).order(ByteOrder.LITTLE_ENDIAN);
        data.position(header.indexOf("\n_") + 2 + Long.BYTES);
        assertEquals(4, data.getDouble());
        VtkExport.write(zarr, folder.resolve("last.vti"));
        assertArrayEquals(values(last), values(Files.readAllBytes(folder.resolve("last.vti"))));
    }

    private static byte[] values(byte[] image) {
        String text = new String(image, StandardCharsets.ISO_8859_1);
        return Arrays.copyOfRange(image, text.indexOf("\n_"), image.length);
    }

    @Test
    void aVectorWithoutCoordinatesIsAnImageOfOneRow() throws IOException {
        ZarrGroup group = ZarrGroup.create(folder.resolve("result.zarr"));
        ZarrArray array = group.createArray("x", ChunkGrid.of(new int[] {3}, new int[] {3}), List.of("i"), Map.of());
        array.writeChunk(new int[1], new double[] {7, 8, 9});
        group.commit(Map.of());
        Path file = folder.resolve("vector.vti");
        VtkExport.write(folder.resolve("result.zarr"), file);
        String text = Files.readString(file, StandardCharsets.ISO_8859_1);
        assertTrue(text.contains("WholeExtent=\"0 2 0 0 0 0\" Origin=\"0.0 0.0 0.0\" Spacing=\"1.0 1.0 1.0\""), text);
    }

    @Test
    void whatHasFourAxesIsRefusedAndLeavesNoFile() throws IOException {
        ZarrGroup group = ZarrGroup.create(folder.resolve("result.zarr"));
        int[] one = {1, 1, 1, 1};
        group.createArray("u", ChunkGrid.of(one, one), List.of("a", "b", "c", "d"), Map.of());
        group.commit(Map.of());
        Path file = folder.resolve("result.vti");
        assertThrows(IOException.class, () -> VtkExport.write(folder.resolve("result.zarr"), file));
        try (var files = Files.list(folder)) {
            assertEquals(List.of(folder.resolve("result.zarr")), files.toList());
        }
    }
}
