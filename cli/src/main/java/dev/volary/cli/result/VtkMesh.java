// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.result;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;

/**
 * A result on a mesh as a VTK unstructured grid (.vtu), which ParaView opens: the XML header, then values, points and cells as raw
 * little-endian numbers (VTK file formats, "UnstructuredGrid", appended data). Points with two coordinates get z = 0.
 */
final class VtkMesh {
    private static final int SPACE = 3;
    private static final int PIECE = 1 << 20;

    private VtkMesh() {}

    /**
     * Writes the values of a field on its mesh.
     *
     * @param residual certified, relative
     */
    static void write(ResultField field, ResultMesh mesh, double residual, Path file) throws IOException {
        VtkFile.write(file, out -> {
            out.text(header(field, mesh, residual));
            out.values(field.array(), new int[1], field.array().grid().shape(), 0);
            writePoints(mesh, out);
            writeCells(mesh, out);
            out.text("\n  </AppendedData>\n</VTKFile>\n");
        });
    }

    private static String header(ResultField field, ResultMesh mesh, double residual) {
        long points = Long.BYTES + (long) mesh.points() * Double.BYTES;
        long connectivity = points + Long.BYTES + (long) mesh.points() * SPACE * Double.BYTES;
        long offsets = connectivity + Long.BYTES + (long) mesh.cellCount() * mesh.corners() * Long.BYTES;
        long types = offsets + Long.BYTES + (long) mesh.cellCount() * Long.BYTES;
        return String.format(
                Locale.ROOT,
                """
                <?xml version="1.0"?>
                <VTKFile type="UnstructuredGrid" version="1.0" byte_order="LittleEndian" header_type="UInt64">
                  <UnstructuredGrid>
                    <FieldData>
                      <DataArray type="Float64" Name="certified_residual" NumberOfTuples="1" format="ascii">%1$s</DataArray>
                    </FieldData>
                    <Piece NumberOfPoints="%2$d" NumberOfCells="%3$d">
                      <PointData Scalars="%4$s">
                        <DataArray type="Float64" Name="%4$s" format="appended" offset="0"/>
                      </PointData>
                      <Points>
                        <DataArray type="Float64" Name="Points" NumberOfComponents="3" format="appended" offset="%5$d"/>
                      </Points>
                      <Cells>
                        <DataArray type="Int64" Name="connectivity" format="appended" offset="%6$d"/>
                        <DataArray type="Int64" Name="offsets" format="appended" offset="%7$d"/>
                        <DataArray type="UInt8" Name="types" format="appended" offset="%8$d"/>
                      </Cells>
                    </Piece>
                  </UnstructuredGrid>
                  <AppendedData encoding="raw">
                _""",
                residual,
                mesh.points(),
                mesh.cellCount(),
                field.name(),
                points,
                connectivity,
                offsets,
                types);
    }

    private static void writePoints(ResultMesh mesh, VtkFile out) throws IOException {
        int axes = mesh.axes();
        out.length((long) mesh.points() * SPACE * Double.BYTES);
        mesh.readCoordinates((first, rows) -> {
            double[] points = new double[rows.length / axes * SPACE];
            for (int i = 0; i < rows.length; i++) {
                points[i / axes * SPACE + i % axes] = rows[i];
            }
            out.doubles(points);
        });
    }

    private static void writeCells(ResultMesh mesh, VtkFile out) throws IOException {
        int corners = mesh.corners();
        out.length((long) mesh.cellCount() * corners * Long.BYTES);
        mesh.readCells((first, rows) -> {
            long[] numbers = new long[rows.length];
            Arrays.setAll(numbers, i -> (long) rows[i]);
            out.longs(numbers);
        });
        out.length((long) mesh.cellCount() * Long.BYTES);
        for (int first = 0; first < mesh.cellCount(); first += PIECE) {
            long begin = first;
            long[] ends = new long[Math.min(PIECE, mesh.cellCount() - first)];
            Arrays.setAll(ends, i -> (begin + i + 1) * corners);
            out.longs(ends);
        }
        out.length(mesh.cellCount());
        for (int first = 0; first < mesh.cellCount(); first += PIECE) {
            byte[] types = new byte[Math.min(PIECE, mesh.cellCount() - first)];
            Arrays.fill(types, (byte) mesh.form().vtkType());
            out.bytes(ByteBuffer.wrap(types));
        }
    }
}
