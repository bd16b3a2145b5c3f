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
 * fastest (VTK file formats, "ImageData", appended data). Each component is an array of its own.
 */
public final class VtkImage {
    /** Values in memory at once, unless a chunk of the result has more. */
    private static final int SLAB = 1 << 22;

    private VtkImage() {}

    /**
     * Writes the only field of a result, of several time steps the last. The file appears under its name when it is complete.
     *
     * @param zarr the group {@code result.zarr}
     * @throws IOException if the result cannot be read, if its grid has more than three axes, or if the file cannot be written
     */
    public static void write(Path zarr, Path file) throws IOException {
        ResultField field = ResultField.open(zarr);
        write(field, field.about().certifiedResidual(), file);
    }

    /**
     * Writes each time step of a result as an image {@code <name>-<step>.vti} beside a collection {@code <name>.pvd}, which has
     * their times: ParaView opens it as a series.
     *
     * @param steps of a result, at least one
     * @param collection the file with the extension .pvd
     * @throws IOException as {@link #write(Path, Path)}
     */
    public static void writeSeries(List<ResultField.Step> steps, Path collection) throws IOException {
        String name = String.valueOf(collection.getFileName()).replaceFirst("[.]pvd$", "");
        int digits = String.valueOf(steps.getLast().step()).length();
        StringBuilder sets = new StringBuilder();
        for (ResultField.Step step : steps) {
            String file = String.format(Locale.ROOT, "%s-%0" + digits + "d.vti", name, step.step());
            write(step.field(), step.residual(), collection.resolveSibling(file));
            sets.append("    <DataSet timestep=\"" + step.time() + "\" part=\"0\" file=\"" + file + "\"/>\n");
        }
        Path partial = collection.resolveSibling(collection.getFileName() + ".partial");
        Files.writeString(
                partial,
                "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"LittleEndian\">\n"
                        + "  <Collection>\n" + sets + "  </Collection>\n</VTKFile>\n");
        Files.move(partial, collection, StandardCopyOption.ATOMIC_MOVE);
    }

    private static void write(ResultField field, double residual, Path file) throws IOException {
        ZarrArray array = field.array();
        int axes = gridAxes(field).size();
        if (axes < 1 || axes > 3) {
            throw new IOException("the result has " + axes + " axes; an image has one to three");
        }
        Path partial = file.resolveSibling(file.getFileName() + ".partial");
        try (FileChannel out = FileChannel.open(
                partial, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
            put(out, header(field, residual));
            int[] shape = array.grid().shape();
            if (field.hasComponents()) {
                for (int component = 0; component < shape[0]; component++) {
                    int[] lo = new int[shape.length];
                    int[] hi = shape.clone();
                    lo[0] = component;
                    hi[0] = component + 1;
                    writeValues(array, lo, hi, 1, out);
                }
            } else {
                writeValues(array, new int[shape.length], shape, 0, out);
            }
            put(out, "\n  </AppendedData>\n</VTKFile>\n");
            out.force(true);
        } catch (IOException e) {
            Files.deleteIfExists(partial);
            throw e;
        }
        Files.move(partial, file, StandardCopyOption.ATOMIC_MOVE);
    }

    private static List<AxisScale> gridAxes(ResultField field) {
        return field.hasComponents() ? field.axes().subList(1, field.axes().size()) : field.axes();
    }

    private static String header(ResultField field, double residual) {
        List<AxisScale> axes = gridAxes(field);
        StringBuilder extent = new StringBuilder();
        StringBuilder origin = new StringBuilder();
        StringBuilder spacing = new StringBuilder();
        for (int d = 0; d < 3; d++) { // x first
            AxisScale axis = d < axes.size() ? axes.get(axes.size() - 1 - d) : new AxisScale("", 1);
            String gap = d == 0 ? "" : " ";
            extent.append(gap).append("0 ").append(axis.count() - 1);
            origin.append(gap).append(axis.first());
            spacing.append(gap).append(axis.spacing());
        }
        List<String> names = field.componentNames();
        long bytes = Long.BYTES + field.array().grid().size() / names.size() * Double.BYTES;
        StringBuilder arrays = new StringBuilder();
        for (int i = 0; i < names.size(); i++) {
            arrays.append(i == 0 ? "" : "\n        ")
                    .append("<DataArray type=\"Float64\" Name=\"" + names.get(i) + "\" format=\"appended\" offset=\""
                            + i * bytes + "\"/>");
        }
        return String.format(Locale.ROOT, """
                <?xml version="1.0"?>
                <VTKFile type="ImageData" version="1.0" byte_order="LittleEndian" header_type="UInt64">
                  <ImageData WholeExtent="%1$s" Origin="%2$s" Spacing="%3$s">
                    <FieldData>
                      <DataArray type="Float64" Name="certified_residual" NumberOfTuples="1" format="ascii">%4$s</DataArray>
                    </FieldData>
                    <Piece Extent="%1$s">
                      <PointData Scalars="%5$s">
                        %6$s
                      </PointData>
                    </Piece>
                  </ImageData>
                  <AppendedData encoding="raw">
                _""", extent, origin, spacing, residual, names.getFirst(), arrays);
    }

    /** Their number of bytes, then slab by slab along an axis, so that the values are in order and never all in memory. */
    private static void writeValues(ZarrArray array, int[] lo, int[] hi, int axis, FileChannel out) throws IOException {
        long layer = 1;
        for (int a = 0; a < lo.length; a++) {
            layer *= a == axis ? 1 : hi[a] - lo[a];
        }
        int layers = hi[axis] - lo[axis];
        ByteBuffer length = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        length.putLong(0, layers * layer * Double.BYTES);
        write(out, length);
        int thickness = Math.clamp(SLAB / layer, 1, array.grid().chunk()[axis]);
        int[] from = lo.clone();
        int[] to = hi.clone();
        for (int first = 0; first < layers; first += thickness) {
            from[axis] = first;
            to[axis] = Math.min(layers, first + thickness);
            double[] values = array.read(from, to);
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
