// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.result;

import dev.volary.zarr.ZarrArray;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * A result on a grid as a VTK image file (.vti), which ParaView opens: the XML header, then the values as raw little-endian doubles, x
 * fastest (VTK file formats, "ImageData", appended data). Each component is an array of its own.
 */
final class VtkImage {
    private VtkImage() {}

    /**
     * Writes the values of a field.
     *
     * @param residual certified, relative
     */
    static void write(ResultField field, double residual, Path file) throws IOException {
        ZarrArray array = field.array();
        int axes = gridAxes(field).size();
        if (axes < 1 || axes > 3) {
            throw new IOException("the result has " + axes + " axes; an image has one to three");
        }
        VtkFile.write(file, out -> {
            out.text(header(field, residual));
            int[] shape = array.grid().shape();
            if (field.hasComponents()) {
                for (int component = 0; component < shape[0]; component++) {
                    int[] lo = new int[shape.length];
                    int[] hi = shape.clone();
                    lo[0] = component;
                    hi[0] = component + 1;
                    out.values(array, lo, hi, 1);
                }
            } else {
                out.values(array, new int[shape.length], shape, 0);
            }
            out.text("\n  </AppendedData>\n</VTKFile>\n");
        });
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
}
