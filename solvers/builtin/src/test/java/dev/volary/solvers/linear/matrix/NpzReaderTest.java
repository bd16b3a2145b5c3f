// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.linear.matrix;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.solver.InvalidProblemException;
import java.io.IOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The files beside write.py were written by scipy 1.17.1; all hold the matrix A of that program. */
class NpzReaderTest {
    private static final int[] STARTS = {0, 3, 5, 7, 9};
    private static final int[] COLUMNS = {0, 1, 3, 1, 2, 0, 2, 2, 3};
    private static final double[] VALUES = {4, -1, 0.5, 3, -2, -0.25, 5, -1, 2};

    @TempDir
    private Path folder;

    @ParameterizedTest
    @CsvSource({"csr, 1", "csr_float32_int64_stored, 1", "csr_unsorted, 1", "csc, 1", "coo_twice, 1", "int16, 4"})
    void aMatrixOfSciPyIsReadInEachFormat(String name, double factor) throws Exception {
        SparseMatrix matrix = MatrixFile.read(resource(name + ".npz"));
        assertArrayEquals(STARTS, matrix.rowStart());
        assertArrayEquals(COLUMNS, matrix.columns());
        assertArrayEquals(Arrays.stream(VALUES).map(v -> factor * v).toArray(), matrix.values());
    }

    @Test
    void flagsAreLinksOfAGraphButNoMatrixOfALinearSystem() throws Exception {
        double[] ones = new double[VALUES.length];
        Arrays.fill(ones, 1);
        assertArrayEquals(ones, MatrixFile.readGraph(resource("bool.npz")).values());
        assertRefused(resource("bool.npz"), "bool.npz array data:", "type |b1", "pattern without values", "float64");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "complex.npz | array data: has elements of type <c16, complex numbers; give a real matrix",
                "object.npz | array data: has elements of type |O, objects of Python; write A.astype",
                "bsr.npz | array format: has the format bsr; write it with scipy.sparse.save_npz(FILE, A.tocsr())",
                "rectangle.npz | array shape: says that the matrix is 3 × 4; a linear system needs a square matrix",
                "vector.npy | is a dense NumPy array; write a sparse matrix with scipy.sparse.save_npz"
            })
    void whatIsNoRealSquareMatrixIsRefused(String name, String message) throws Exception {
        assertRefused(resource(name), name + " " + message);
    }

    @Test
    void damagedArraysAreRefusedByTheirElements() throws Exception {
        assertRefused(csr(Map.of("indices", ints(0, 2))), "array indices: element 1 is 2; it must be from 0 to 1");
        assertRefused(csr(Map.of("indices", ints(0, -1))), "array indices: element 1 is -1; it must be from 0 to 1");
        assertRefused(csr(Map.of("indices", ints(0))), "array indices: has 1 elements; it must have 2");
        assertRefused(csr(Map.of("indptr", ints(0, 2, 1))), "indptr: element 2 is 1, less than the one before, 2");
        assertRefused(csr(Map.of("indptr", ints(0, 1, 1))), "indptr: goes from 0 to 1; it must go from 0 to 2");
        assertRefused(csr(Map.of("indptr", ints(0, 2))), "array indptr: has 2 elements; it must have 3");
        assertRefused(csr(Map.of("data", reals(1, Double.NaN))), "array data: element 1 is NaN; every number must be");
        assertRefused(csr(Map.of("shape", ints(2))), "array shape: has 1 extents; a matrix has two");
        assertRefused(csr(Map.of("shape", ints(0, 0))), "array shape: element 0 is 0; it must be from 1 to 2147483639");
        assertRefused(csr(Map.of("data", "no array".getBytes(StandardCharsets.UTF_8))), "data: is not a NumPy array");
        byte[] square = npy("<f8", "1, 2", new byte[16]);
        assertRefused(csr(Map.of("data", square)), "array data: is 1 × 2; it must have one axis");
        byte[] shorter = npy("<f8", "2,", new byte[8]);
        assertRefused(csr(Map.of("data", shorter)), "array data: the data ends after 1 of 2 elements; it was cut off");
        byte[] longer = npy("<f8", "2,", new byte[24]);
        assertRefused(csr(Map.of("data", longer)), "array data: there is more after the 2 elements");
        assertRefused(
                csr(Map.of("format", new byte[0])), "array format: is not a NumPy array; write it with numpy.save");
        assertRefused(zip(Map.of("x", ints(1))), "has no array format, so it is no sparse matrix of SciPy");
    }

    /** A header that promises the most elements must not reserve memory for them. */
    @Test
    void anArrayThatPromisesTooMuchIsRefusedWithoutMemoryForIt() throws Exception {
        byte[] most = npy("<f8", Integer.MAX_VALUE - 8 + ",", new byte[80]);
        assertRefused(csr(Map.of("data", most)), "array data: the data ends after 10 of 2147483639 elements");
        byte[] more = npy("<f8", "9" + "0".repeat(17) + ",", new byte[80]);
        assertRefused(csr(Map.of("data", more)), "array data: has 900000000000000000 elements; at most 2147483639");
        byte[] absurd = npy("<f8", "9" + "0".repeat(18) + ",", new byte[80]);
        assertRefused(csr(Map.of("data", absurd)), "array data: is 9000000000000000000; that is more than a file");
        Map<String, byte[]> few = Map.of(
                "format",
                format("coo"),
                "shape",
                ints(2_000_000_000, 2_000_000_000),
                "data",
                reals(1),
                "row",
                ints(0),
                "col",
                ints(0));
        assertRefused(zip(few), "array shape: says that there are 2000000000 rows, but there are only 1 entries");
    }

    @Test
    void anArchiveThatWasCutOffOrChangedIsRefused() throws Exception {
        byte[] whole = Files.readAllBytes(resource("csr_float32_int64_stored.npz"));
        Path file = folder.resolve("a.npz");
        Files.write(file, Arrays.copyOf(whole, whole.length / 2));
        assertRefused(file, "a.npz cannot be read as a zip archive", "get the file again");
        int value = indexOf(whole, new byte[] {0, 0, (byte) 0x80, 0x40, 0, 0, (byte) 0x80, (byte) 0xbf}); // 4f, -1f
        whole[value + 2] ^= 1;
        Files.write(file, whole);
        assertRefused(file, "array data: cannot be read: its checksum is wrong", "get the file again");
    }

    private static int indexOf(byte[] all, byte[] part) {
        for (int at = 0; at + part.length <= all.length; at++) {
            if (Arrays.equals(all, at, at + part.length, part, 0, part.length)) {
                return at;
            }
        }
        throw new IllegalArgumentException("not there");
    }

    /** The identity of two rows, with some arrays replaced. */
    private Path csr(Map<String, byte[]> replaced) throws IOException {
        Map<String, byte[]> arrays = new LinkedHashMap<>(Map.of(
                "format",
                format("csr"),
                "shape",
                ints(2, 2),
                "data",
                reals(1, 1),
                "indptr",
                ints(0, 1, 2),
                "indices",
                ints(0, 1)));
        arrays.putAll(replaced);
        return zip(arrays);
    }

    private Path zip(Map<String, byte[]> arrays) throws IOException {
        Path file = folder.resolve("a.npz");
        try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(file))) {
            for (Map.Entry<String, byte[]> array : arrays.entrySet()) {
                out.putNextEntry(new ZipEntry(array.getKey() + ".npy"));
                out.write(array.getValue());
            }
        }
        return file;
    }

    private static byte[] format(String name) {
        return npy("|S3", "", name.getBytes(StandardCharsets.US_ASCII));
    }

    private static byte[] ints(int... values) {
        ByteBuffer data = ByteBuffer.allocate(Integer.BYTES * values.length).order(ByteOrder.LITTLE_ENDIAN);
        data.asIntBuffer().put(values);
        return npy("<i4", values.length + ",", data.array());
    }

    private static byte[] reals(double... values) {
        ByteBuffer data = ByteBuffer.allocate(Double.BYTES * values.length).order(ByteOrder.LITTLE_ENDIAN);
        data.asDoubleBuffer().put(values);
        return npy("<f8", values.length + ",", data.array());
    }

    private static byte[] npy(String type, String shape, byte[] data) {
        byte[] header = ("{'descr': '" + type + "', 'fortran_order': False, 'shape': (" + shape + "), }\n")
                .getBytes(StandardCharsets.ISO_8859_1);
        return ByteBuffer.allocate(10 + header.length + data.length)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put(new byte[] {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0})
                .putShort((short) header.length)
                .put(header)
                .put(data)
                .array();
    }

    private static void assertRefused(Path file, String... parts) {
        String message = String.valueOf(assertThrows(InvalidProblemException.class, () -> MatrixFile.read(file))
                .getMessage());
        assertEquals(0, message.indexOf(file.toString()), message);
        for (String part : parts) {
            assertTrue(message.contains(part), () -> message + " lacks " + part);
        }
    }

    private static Path resource(String name) throws URISyntaxException {
        URL found = NpzReaderTest.class.getResource(name);
        return Path.of(Objects.requireNonNull(found, name).toURI());
    }
}
