// SPDX-License-Identifier: Apache-2.0
package dev.volary.zarr.guess;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.solver.Block;
import dev.volary.solver.Box;
import dev.volary.solver.Decomposition;
import dev.volary.solver.IndexList;
import dev.volary.solver.IndexRange;
import dev.volary.solver.InputFolders;
import dev.volary.solver.InvalidProblemException;
import dev.volary.solver.Model;
import dev.volary.solver.Region;
import dev.volary.solver.Resources;
import dev.volary.solver.Shape;
import dev.volary.solver.TimeStepping;
import dev.volary.zarr.ChunkGrid;
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
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class InitialGuessTest {
    /** Value i stands at index i. */
    private static final double[] NUMBERS =
            IntStream.range(0, 35).asDoubleStream().toArray();

    private static final Shape GRID = Shape.of(5, 7);
    private static final Shape VECTOR = Shape.of(35);

    @TempDir
    private Path folder;

    @Test
    void aBoxOfAResultIsReadAcrossChunks() throws Exception {
        writeResult("u", new int[] {5, 7}, new int[] {2, 3});
        assertArrayEquals(
                new double[] {9, 10, 11, 12, 16, 17, 18, 19},
                read("in:result.zarr", GRID, Box.of(new int[] {1, 2}, new int[] {3, 6})));
    }

    @Test
    void anyIndicesOfAResultAreReadInTheirOrder() throws Exception {
        writeResult("u", new int[] {35}, new int[] {8});
        assertArrayEquals(
                new double[] {34, 0, 8, 7, 33}, read("in:result.zarr", VECTOR, IndexList.of(34, 0, 8, 7, 33)));
        assertArrayEquals(new double[] {7, 8, 9}, read("in:result.zarr", VECTOR, new IndexRange(7, 10)));
        writeResult("u", new int[] {5, 7}, new int[] {2, 3});
        assertArrayEquals(new double[] {34, 0, 13, 20}, read("in:result.zarr", GRID, IndexList.of(34, 0, 13, 20)));
    }

    @Test
    void ofAResultWithSeveralTimeStepsTheLastOneIsRead() throws Exception {
        ZarrGroup group = ZarrGroup.create(folder.resolve("result.zarr"));
        ZarrArray array = group.createArray(
                "u",
                ChunkGrid.of(new int[] {2, 35}, new int[] {1, 8}),
                List.of("time", "i"),
                Map.of("time_steps", "time"));
        double[] values = new double[70];
        Arrays.setAll(values, i -> i);
        array.writeAll(values);
        group.commit(Map.of());
        assertArrayEquals(new double[] {35, 69}, read("in:result.zarr", VECTOR, IndexList.of(0, 34)));
    }

    @Test
    void anArrayOfNumPyIsReadInDoubleAndSinglePrecision() throws Exception {
        writeArray("<f8", "5, 7", false, ByteOrder.LITTLE_ENDIAN);
        assertArrayEquals(new double[] {9, 10, 16, 17}, read("in:u.npy", GRID, Box.of(new int[] {1, 2}, new int[] {3, 4
        })));
        writeArray(">f4", "35,", false, ByteOrder.BIG_ENDIAN);
        assertArrayEquals(new double[] {34, 3}, read("in:u.npy", VECTOR, IndexList.of(34, 3)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "in:u.npy       | which is 5 × 7, but this problem has 35 unknowns; name a result of the same problem",
                "in:result.zarr | which is 5 × 7, but this problem has 35 unknowns; name a result of the same problem",
                "in:none.npy    | which cannot be used: in:none.npy does not exist",
                "in:none.zarr   | which cannot be used: in:none.zarr/zarr.json does not exist",
                "in:../u.npy    | which cannot be used: in:../u.npy leads out of its folder"
            })
    void whatIsNotAVectorOfTheShapeOfTheProblemIsRefused(String reference, String finding) throws Exception {
        writeResult("u", new int[] {5, 7}, new int[] {5, 7});
        writeArray("<f8", "5, 7", false, ByteOrder.LITTLE_ENDIAN);
        assertRefused(reference, VECTOR, finding);
    }

    @Test
    void anotherFieldTypeOrOrderIsRefused() throws Exception {
        writeResult("x", new int[] {35}, new int[] {35});
        assertRefused("in:result.zarr", VECTOR, "has no array u, which is the unknown of this problem; it has [x]");
        writeArray("<i8", "35,", false, ByteOrder.LITTLE_ENDIAN);
        assertRefused("in:u.npy", VECTOR, "has elements of type <i8; write real numbers: A.astype(\"float64\")");
        writeArray("<f8", "5, 7", true, ByteOrder.LITTLE_ENDIAN);
        assertRefused("in:u.npy", GRID, "is in Fortran order; write numpy.ascontiguousarray(A)");
    }

    @Test
    void aProblemThatMarchesInTimeTakesNone() {
        Model steps = new Unknowns(GRID, Optional.of(new TimeStepping(3, 0.1)));
        InvalidProblemException refused =
                assertThrows(InvalidProblemException.class, () -> InitialGuess.open("in:u.npy", inputs(), steps));
        assertEquals(
                "spec.initialGuess is \"in:u.npy\", but the problem marches in time from its own initial values;"
                        + " remove it; each time step starts from the last one",
                refused.getMessage());
    }

    @Test
    void aValueThatIsMissingOrNotFiniteIsRefusedWhereItIsRead() throws Exception {
        writeResult("u", new int[] {35}, new int[] {8});
        Files.delete(folder.resolve("result.zarr/u/c/1"));
        assertArrayEquals(new double[] {7}, read("in:result.zarr", VECTOR, new IndexRange(7, 8)));
        InvalidProblemException refused =
                assertThrows(InvalidProblemException.class, () -> read("in:result.zarr", VECTOR, new IndexRange(7, 9)));
        assertTrue(
                String.valueOf(refused.getMessage())
                        .contains("c/1 is missing: the array is not complete; write it again; or remove it"),
                refused.getMessage());
        Path array = writeArray("<f8", "35,", false, ByteOrder.LITTLE_ENDIAN);
        byte[] all = Files.readAllBytes(array);
        byte[] changed = all.clone();
        Arrays.fill(changed, changed.length - Double.BYTES, changed.length, (byte) 0xff);
        Files.write(array, changed);
        InvalidProblemException infinite =
                assertThrows(InvalidProblemException.class, () -> read("in:u.npy", VECTOR, new IndexRange(33, 35)));
        assertTrue(
                String.valueOf(infinite.getMessage()).endsWith("has the value NaN; every number must be finite"),
                infinite.getMessage());
        Files.write(array, Arrays.copyOf(all, all.length - 1));
        InvalidProblemException shorter =
                assertThrows(InvalidProblemException.class, () -> read("in:u.npy", VECTOR, new IndexRange(0, 1)));
        assertTrue(
                String.valueOf(shorter.getMessage()).contains("bytes, but its shape 35 takes"), shorter.getMessage());
    }

    private void assertRefused(String reference, Shape shape, String finding) {
        InvalidProblemException refused = assertThrows(
                InvalidProblemException.class,
                () -> InitialGuess.open(reference, inputs(), new Unknowns(shape, Optional.empty())));
        String message = String.valueOf(refused.getMessage());
        assertTrue(message.startsWith("spec.initialGuess is \"" + reference + "\", "), message);
        assertTrue(message.contains(finding), message);
    }

    private double[] read(String reference, Shape shape, Region region) throws InvalidProblemException {
        return InitialGuess.open(reference, inputs(), new Unknowns(shape, Optional.empty()))
                .read(region);
    }

    private InputFolders inputs() {
        return new InputFolders(Map.of("in", folder));
    }

    private void writeResult(String field, int[] shape, int[] chunk) throws IOException {
        ZarrGroup group = ZarrGroup.create(folder.resolve("result.zarr"));
        List<String> dimensions = List.of("j", "i").subList(2 - shape.length, 2);
        ZarrArray array = group.createArray(field, ChunkGrid.of(shape, chunk), dimensions, Map.of());
        array.writeAll(NUMBERS);
        ZarrGroup ignored = group.commit(Map.of());
    }

    private Path writeArray(String type, String shape, boolean fortran, ByteOrder order) throws IOException {
        String header = "{'descr': '" + type + "', 'fortran_order': " + (fortran ? "True" : "False") + ", 'shape': ("
                + shape + "), }\n";
        ByteBuffer bytes = ByteBuffer.allocate(10 + header.length() + NUMBERS.length * Double.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put(new byte[] {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0})
                .putShort((short) header.length())
                .put(header.getBytes(StandardCharsets.ISO_8859_1))
                .order(order);
        for (double number : NUMBERS) {
            if (type.endsWith("4")) {
                bytes.putFloat((float) number);
            } else {
                bytes.putDouble(number);
            }
        }
        return Files.write(folder.resolve("u.npy"), Arrays.copyOf(bytes.array(), bytes.position()));
    }

    /** Only unknowns: nothing of it is solved. */
    private record Unknowns(Shape unknowns, Optional<TimeStepping> timeStepping) implements Model {
        @Override
        public Decomposition decompose(int blocks) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Block block(Decomposition decomposition, int id, Resources resources) {
            throw new UnsupportedOperationException();
        }

        @Override
        public double scale() {
            return 1;
        }

        @Override
        public double attainableFloor() {
            return 0;
        }
    }
}
