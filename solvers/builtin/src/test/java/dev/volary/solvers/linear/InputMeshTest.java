// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.linear;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.solver.InvalidProblemException;
import dev.volary.solver.Mesh;
import dev.volary.solver.Model;
import dev.volary.solver.RedundantCoarseModel;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Coordinates and cells of a linear system with four unknowns, the corners of a square. */
class InputMeshTest {
    /** The entries (1, 3) and (4, 3) have no counterpart, and the others are in pairs. */
    private static final String MATRIX = """
            %%MatrixMarket matrix coordinate real general
            4 4 10
            1 1 4
            2 2 4
            3 3 4
            4 4 4
            1 2 -1
            2 1 -1
            2 4 -1
            4 2 -1
            1 3 -1
            4 3 -1
            """;

    private static final double[] SQUARE = {0, 0, 1, 0, 0, 1, 1, 1};

    @TempDir
    private Path folder;

    @BeforeEach
    void writeTheMatrix() throws IOException {
        Files.writeString(folder.resolve("A.mtx"), MATRIX);
        write("xy.npy", "<f8", false, "4, 2", doubles(SQUARE));
        write("cells.npy", "<i4", false, "2, 3", ints(0, 1, 2, 3, 2, 1));
    }

    @Test
    void everyMethodHasTheMeshOfTheFiles() throws Exception {
        for (String method : List.of("Auto", "Schwarz", "Direct", "PointJacobi")) {
            Model model = RedundantCoarseModel.of(
                    open(Map.of("coordinates", "xy.npy", "cells", "cells.npy", "method", method)));
            model.selfCheck();
            Mesh mesh = model.mesh().orElseThrow();
            assertEquals(
                    List.of(4, 2, 2, 3), List.of(mesh.points(), mesh.axes(), mesh.cells(), mesh.corners()), method);
            assertEquals(List.of(0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 1.0, 1.0), coordinates(mesh));
            assertEquals(List.of(0.0, 1.0, 2.0, 3.0, 2.0, 1.0), cells(mesh));
        }
    }

    @Test
    void aSystemWithoutCoordinatesHasNoMesh() throws Exception {
        assertTrue(open(Map.of()).mesh().isEmpty());
    }

    /** As numpy.save writes np.array([x, y]).T. */
    @Test
    void arraysStoredColumnByColumnAreReadRowByRow() throws Exception {
        write("xy.npy", "<f8", true, "4, 2", doubles(0, 1, 0, 1, 0, 0, 1, 1));
        write("cells.npy", "<i8", true, "2, 3", longs(0, 3, 1, 2, 2, 1));
        Model model = open(Map.of("coordinates", "xy.npy", "cells", "cells.npy"));
        model.selfCheck();
        Mesh mesh = model.mesh().orElseThrow();
        assertEquals(List.of(0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 1.0, 1.0), coordinates(mesh));
        assertEquals(List.of(0.0, 1.0, 2.0, 3.0, 2.0, 1.0), cells(mesh));
    }

    @Test
    void withoutCellsEachPairOfConnectedUnknownsIsOneLine() throws Exception {
        Mesh mesh = open(Map.of("coordinates", "xy.npy")).mesh().orElseThrow();
        assertEquals(List.of(4, 2), List.of(mesh.cells(), mesh.corners()));
        assertEquals(List.of(0.0, 1.0, 0.0, 2.0, 1.0, 3.0, 3.0, 2.0), cells(mesh));
    }

    @Test
    void filesOfTheWrongFormAreRefusedWhenTheProblemIsOpened() throws Exception {
        assertRefused(Map.of("cells", "cells.npy"), "cells is \"cells.npy\"", "no coordinates", "give coordinates");
        assertRefused(Map.of("coordinates", "none.npy"), "none.npy: cannot be read");
        write("short.npy", "<f8", false, "3, 2", doubles(0, 0, 1, 0, 0, 1));
        assertRefused(
                Map.of("coordinates", "short.npy"), "short.npy: is 3 × 2; for this matrix it must be 4 × 2 or 4 × 3");
        write("flat.npy", "<f8", false, "8,", doubles(SQUARE));
        assertRefused(Map.of("coordinates", "flat.npy"), "flat.npy: is 8; for this matrix it must be 4 × 2");
        write("text.npy", "|S8", false, "4, 2", new byte[64]);
        assertRefused(Map.of("coordinates", "text.npy"), "text.npy: has elements of type |S8; write real numbers");
        write("real.npy", "<f8", false, "2, 3", doubles(0, 1, 2, 1, 2, 3));
        assertRefused(
                Map.of("coordinates", "xy.npy", "cells", "real.npy"), "real.npy: has elements of type <f8", "int64");
        write("five.npy", "<i4", false, "1, 5", ints(0, 1, 2, 3, 0));
        assertRefused(Map.of("coordinates", "xy.npy", "cells", "five.npy"), "five.npy: is 1 × 5; cells have one row");
        write("empty.npy", "<i4", false, "0, 3", new byte[0]);
        assertRefused(Map.of("coordinates", "xy.npy", "cells", "empty.npy"), "empty.npy: is 0 × 3", "remove");
    }

    @Test
    void numbersThatFitNoMeshAreRefusedByTheSelfCheck() throws Exception {
        write("nan.npy", "<f8", false, "4, 2", doubles(0, 0, 1, 0, 0, Double.NaN, 1, 1));
        assertCheckFails(Map.of("coordinates", "nan.npy"), "nan.npy: element 5 is NaN; every number must be finite");
        write("one.npy", "<i4", false, "2, 3", ints(1, 2, 3, 4, 3, 2));
        assertCheckFails(
                Map.of("coordinates", "xy.npy", "cells", "one.npy"), "one.npy: element 3 is 4; it must be from 0 to 3");
        write("cut.npy", "<f8", false, "4, 2", doubles(0, 0, 1));
        assertCheckFails(Map.of("coordinates", "cut.npy"), "cut.npy: the data ends after 3 of 8 elements");
    }

    @Test
    void aFileThatChangedSinceTheStartIsNamedWhenTheResultIsWritten() throws Exception {
        Mesh mesh = open(Map.of("coordinates", "xy.npy")).mesh().orElseThrow();
        Files.delete(folder.resolve("xy.npy"));
        String message = String.valueOf(
                assertThrows(IOException.class, () -> coordinates(mesh)).getMessage());
        assertTrue(message.startsWith("the mesh changed while the job ran: ") && message.contains("xy.npy"), message);
    }

    private Model open(Map<String, Object> parameters) throws InvalidProblemException {
        Map<String, Object> all = new HashMap<>(parameters);
        all.put("matrix", "A.mtx");
        return Matrices.open(all, folder::resolve);
    }

    private void assertRefused(Map<String, Object> parameters, String... parts) {
        assertParts(assertThrows(InvalidProblemException.class, () -> open(parameters)), parts);
    }

    private void assertCheckFails(Map<String, Object> parameters, String... parts) throws InvalidProblemException {
        Model model = open(parameters);
        assertParts(assertThrows(InvalidProblemException.class, model::selfCheck), parts);
    }

    private static void assertParts(Exception refusal, String... parts) {
        String message = String.valueOf(refusal.getMessage());
        for (String part : parts) {
            assertTrue(message.contains(part), () -> message + " lacks " + part);
        }
    }

    private static List<Double> coordinates(Mesh mesh) throws IOException {
        List<Double> values = new ArrayList<>();
        mesh.readCoordinates(values::add);
        return values;
    }

    private static List<Double> cells(Mesh mesh) throws IOException {
        List<Double> values = new ArrayList<>();
        mesh.readCells(values::add);
        return values;
    }

    private static byte[] doubles(double... values) {
        ByteBuffer data = ByteBuffer.allocate(Double.BYTES * values.length).order(ByteOrder.LITTLE_ENDIAN);
        data.asDoubleBuffer().put(values);
        return data.array();
    }

    private static byte[] ints(int... values) {
        ByteBuffer data = ByteBuffer.allocate(Integer.BYTES * values.length).order(ByteOrder.LITTLE_ENDIAN);
        data.asIntBuffer().put(values);
        return data.array();
    }

    private static byte[] longs(long... values) {
        ByteBuffer data = ByteBuffer.allocate(Long.BYTES * values.length).order(ByteOrder.LITTLE_ENDIAN);
        data.asLongBuffer().put(values);
        return data.array();
    }

    private void write(String name, String type, boolean byColumns, String shape, byte[] data) throws IOException {
        byte[] header = ("{'descr': '" + type + "', 'fortran_order': " + (byColumns ? "True" : "False") + ", 'shape': ("
                        + shape + "), }\n")
                .getBytes(StandardCharsets.ISO_8859_1);
        Files.write(
                folder.resolve(name),
                ByteBuffer.allocate(10 + header.length + data.length)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .put(new byte[] {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0})
                        .putShort((short) header.length)
                        .put(header)
                        .put(data)
                        .array());
    }
}
