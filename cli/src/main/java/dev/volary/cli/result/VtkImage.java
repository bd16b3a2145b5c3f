// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.result;

import dev.volary.zarr.ZarrArray;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Locale;

/**
 * A result on a grid as a VTK image file (.vti), which ParaView opens: the XML header, then the values as raw little-endian doubles, x
 * fastest (VTK file formats, "ImageData", appended data).
 */
public final class VtkImage {
    /** Values in memory at once, unless a chunk of the result has more. */
    private static final int SLAB = 1 << 22;

    private VtkImage() {}

    /**
     * Writes the only field of a result. The file appears under its name when it is complete.
     *
     * @param zarr the group {@code result.zarr}
     * @throws IOException if the result cannot be read or has more than three axes, or the file cannot be written
     */
    public static void write(Path zarr, Path file) throws IOException {
        ResultField field = ResultField.open(zarr);
        ZarrArray array = field.array();
        List<AxisScale> axes = field.axes();
        if (axes.size() > 3) {
            throw new IOException("the result has " + axes.size() + " axes; an image has one to three");
        }
        Path partial = file.resolveSibling(file.getFileName() + ".partial");
        try (FileChannel out = FileChannel.open(
                partial, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
            put(out, header(field));
            ByteBuffer length = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
            length.putLong(0, array.grid().size() * Double.BYTES);
            write(out, length);
            writeValues(array, out);
            put(out, "\n  </AppendedData>\n</VTKFile>\n");
            out.force(true);
        } catch (IOException e) {
            Files.deleteIfExists(partial);
            throw e;
        }
        Files.move(partial, file, StandardCopyOption.ATOMIC_MOVE);
    }

    private static String header(ResultField field) {
        List<AxisScale> axes = field.axes();
        StringBuilder extent = new StringBuilder();
        StringBuilder origin = new StringBuilder();
        StringBuilder spacing = new StringBuilder();
        for (int d = 0; d < 3; d++) { // x first
            AxisScale axis = d < axes.size() ? axes.get(axes.size() - 1 - d) : new AxisScale("", 0, 1, 1);
            String gap = d == 0 ? "" : " ";
            extent.append(gap).append("0 ").append(axis.count() - 1);
            origin.append(gap).append(axis.first());
            spacing.append(gap).append(axis.spacing());
        }
        return String.format(
                Locale.ROOT, """
                <?xml version="1.0"?>
                <VTKFile type="ImageData" version="1.0" byte_order="LittleEndian" header_type="UInt64">
                  <ImageData WholeExtent="%1$s" Origin="%2$s" Spacing="%3$s">
                    <FieldData>
                      <DataArray type="Float64" Name="certified_residual" NumberOfTuples="1" format="ascii">%4$s</DataArray>
                    </FieldData>
                    <Piece Extent="%1$s">
                      <PointData Scalars="%5$s">
                        <DataArray type="Float64" Name="%5$s" format="appended" offset="0"/>
                      </PointData>
                    </Piece>
                  </ImageData>
                  <AppendedData encoding="raw">
                _""", extent, origin, spacing, field.about().certifiedResidual(), field.name());
    }

    /** Slab by slab along the slowest axis, so that the values are in order and never all in memory. */
    private static void writeValues(ZarrArray array, FileChannel out) throws IOException {
        int[] shape = array.grid().shape();
        long layer = array.grid().size() / shape[0];
        int thickness = Math.clamp(SLAB / layer, 1, array.grid().chunk()[0]);
        for (int from = 0; from < shape[0]; from += thickness) {
            int[] lo = new int[shape.length];
            int[] hi = shape.clone();
            lo[0] = from;
            hi[0] = Math.min(shape[0], from + thickness);
            double[] values = array.read(lo, hi);
            ByteBuffer bytes = ByteBuffer.allocate(values.length * Double.BYTES).order(ByteOrder.LITTLE_ENDIAN);
            bytes.asDoubleBuffer().put(values);
            write(out, bytes);
        }
    }

    private static void put(FileChannel out, String text) throws IOException {
        write(out, ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
    }

    private static void write(FileChannel out, ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            out.write(bytes);
        }
    }
}
