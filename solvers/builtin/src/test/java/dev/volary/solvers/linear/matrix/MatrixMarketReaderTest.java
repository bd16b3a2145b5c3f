// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.linear.matrix;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.solver.InvalidProblemException;
import dev.volary.solvers.linear.Matrices;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MatrixMarketReaderTest {
    private static final String GENERAL = "%%MatrixMarket matrix coordinate real general\n";

    @TempDir
    private Path folder;

    @Test
    void entriesInAnyOrderBecomeSortedRows() throws Exception {
        SparseMatrix matrix = read(GENERAL + "% a comment\n\n2 2 3\n2 2 4.5\n2 1 -3e-1\n1 1 1\n");
        assertArrayEquals(new int[] {0, 1, 3}, matrix.rowStart());
        assertArrayEquals(new int[] {0, 0, 1}, matrix.columns());
        assertArrayEquals(new double[] {1, -0.3, 4.5}, matrix.values());
    }

    @Test
    void symmetricStorageIsMirrored() throws Exception {
        SparseMatrix matrix = read("%%MatrixMarket matrix coordinate integer symmetric\n2 2 3\n1 1 2\n2 1 7\n2 2 3\n");
        assertArrayEquals(new double[] {2, 7, 7, 3}, matrix.values());
    }

    @Test
    void skewStorageIsMirroredWithTheOtherSign() throws Exception {
        SparseMatrix matrix = read("%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n2 1 7\n");
        assertArrayEquals(new double[] {-7, 7}, matrix.values());
    }

    @Test
    void lastLineNeedsNoEndAndLinesMayEndAsOnWindows() throws Exception {
        SparseMatrix matrix = read("%%MatrixMarket matrix coordinate real general\r\n1 1 1\r\n1 1 2.5");
        assertArrayEquals(new double[] {2.5}, matrix.values());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1",
                "-0.1",
                "+.5",
                "5.",
                "3.7949337637914464e+00",
                "1e22",
                "1e23",
                "9007199254740993",
                "4.9e-324",
                "1.7976931348623157E308",
                "0.000000000000000000000012345678901234567",
                "123456789012345678901234567890",
                "-0"
            })
    void numbersAreRoundedAsTheJdkRoundsThem(String number) throws Exception {
        double value = read(GENERAL + "1 1 1\n1 1 " + number + "\n").values()[0];
        assertEquals(Double.doubleToRawLongBits(Double.parseDouble(number)), Double.doubleToRawLongBits(value));
    }

    @Test
    void fortranExponentsAreUnderstood() throws Exception {
        assertArrayEquals(
                new double[] {-1500}, read(GENERAL + "1 1 1\n1 1 -1.5D+03\n").values());
    }

    @Test
    void gzipIsReadWhateverTheNameOfTheFile() throws Exception {
        Path file = folder.resolve("matrix.mtx");
        Files.write(file, gzip(GENERAL + "1 1 1\n1 1 2\n"));
        assertArrayEquals(new double[] {2}, MatrixMarketReader.read(file).values());
    }

    @Test
    void examplesHaveTheirKnownSizes() throws Exception {
        // examples/data/README.md
        SparseMatrix airfoil = MatrixMarketReader.read(Matrices.example("airfoil.mtx.gz"));
        SparseMatrix recirculation = MatrixMarketReader.read(Matrices.example("recirc_flow.mtx.gz"));
        assertEquals(260, airfoil.size());
        assertEquals(1682, airfoil.entries());
        assertEquals(225, recirculation.size());
        assertEquals(1849, recirculation.entries());
    }

    @Test
    void aMissingFileIsNamed() {
        assertFault(
                assertThrows(InvalidProblemException.class, () -> MatrixMarketReader.read(folder.resolve("none.mtx"))),
                "none.mtx does not exist");
    }

    @Test
    void aFileThatIsCutOffIsReportedWithTheEntriesFound() {
        assertFault(GENERAL + "2 2 3\n1 1 1\n2 2 1\n", "line 5:", "ends after 2 of 3 entries", "get it again");
    }

    @Test
    void aLineThatIsCutOffIsReported() {
        assertFault(GENERAL + "2 2 2\n1 1 1\n2 2", "line 4:", "the value is missing");
    }

    @Test
    void aCutGzipStreamIsReported() throws Exception {
        StringBuilder text = new StringBuilder(GENERAL + "500 500 500\n");
        for (int i = 1; i <= 500; i++) {
            text.append(i).append(' ').append(i).append(' ').append(Math.sin(i)).append('\n');
        }
        byte[] whole = gzip(text.toString());
        Path file = folder.resolve("cut.mtx.gz");
        Files.write(file, Arrays.copyOf(whole, whole.length / 2));
        assertFault(
                assertThrows(InvalidProblemException.class, () -> MatrixMarketReader.read(file)),
                "cut.mtx.gz line",
                "ends early");
    }

    @Test
    void aDamagedGzipStreamIsReported() throws Exception {
        byte[] bytes = gzip(GENERAL + "1 1 1\n1 1 2\n");
        bytes[bytes.length - 6] ^= 1; // in the checksum
        Path file = folder.resolve("bad.mtx.gz");
        Files.write(file, bytes);
        assertFault(
                assertThrows(InvalidProblemException.class, () -> MatrixMarketReader.read(file)),
                "bad.mtx.gz line",
                "damaged");
    }

    @Test
    void aMalformedHeaderIsShownWithWhatItMustBe() {
        assertFault(
                "%%MatrixMarket matrix coordinate real\n",
                "line 1:", "'%%MatrixMarket matrix coordinate real'", "it must be");
        assertFault("1 1 1\n1 1 2\n", "line 1:", "the header is '1 1 1'");
        assertFault("", "line 1:", "the file is empty");
    }

    @Test
    void complexHermitianAndDenseMatricesAreRefused() {
        assertFault("%%MatrixMarket matrix coordinate complex general\n1 1 1\n1 1 1 0\n", "line 1:", "complex");
        assertFault("%%MatrixMarket matrix coordinate real hermitian\n", "line 1:", "hermitian");
        assertFault("%%MatrixMarket matrix array real general\n1 1\n1\n", "line 1:", "dense", "coordinate");
    }

    @Test
    void anIndexOutOfRangeIsNamed() {
        assertFault(GENERAL + "2 2 1\n3 1 1\n", "line 3:", "the row is 3", "from 1 to 2");
        assertFault(GENERAL + "2 2 1\n1 0 1\n", "line 3:", "the column is 0", "from 1 to 2");
    }

    @Test
    void aMatrixThatIsNotSquareIsRefused() {
        assertFault(GENERAL + "2 3 1\n1 1 1\n", "line 2:", "2 × 3", "square");
    }

    @Test
    void sizesBeyondThirtyTwoBitsAreRefusedBeforeAnythingIsReserved() {
        assertFault(GENERAL + "3000000000 3000000000 1\n1 1 1\n", "line 2:", "3000000000", "32-bit");
    }

    @Test
    void fewerEntriesThanRowsAreRefusedBeforeMemoryForTheRowsIsReserved() {
        assertFault(GENERAL + "2000000000 2000000000 1\n1 1 1\n", "only 1 entries for 2000000000 rows", "singular");
    }

    @Test
    void bytesThatAreNoTextAreNotTakenForTheEndOfTheFile() throws Exception {
        Path file = folder.resolve("binary.mtx");
        Files.write(file, (GENERAL + "1 1 1\n1 1 \u00ff\n").getBytes(StandardCharsets.ISO_8859_1));
        assertFault(
                assertThrows(InvalidProblemException.class, () -> MatrixMarketReader.read(file)),
                "line 3:",
                "is not a number");
    }

    @Test
    void anEntryGivenTwiceIsRefusedWithBothLines() {
        assertFault(GENERAL + "2 2 3\n1 1 1\n% comment\n2 2 1\n1 1 5\n", "line 6:", "(1, 1)", "on line 3");
    }

    @Test
    void bothTrianglesOfSymmetricStorageAreRefused() {
        assertFault(
                "%%MatrixMarket matrix coordinate real symmetric\n2 2 3\n1 2 1\n1 1 1\n2 1 1\n",
                "line 5:", "(2, 1)", "on line 3", "one triangle");
    }

    @Test
    void valuesThatAreNotFiniteOrNotNumbersAreRefused() {
        assertFault(GENERAL + "1 1 1\n1 1 NaN\n", "line 3:", "the value is NaN", "finite");
        assertFault(GENERAL + "1 1 1\n1 1 -Inf\n", "line 3:", "-Inf", "finite");
        assertFault(GENERAL + "1 1 1\n1 1 1e999\n", "line 3:", "1e999", "finite");
        assertFault(GENERAL + "1 1 1\n1 1 abc\n", "line 3:", "'abc' is not a number");
        assertFault(GENERAL + "1 1 1\n1 1 1.5f\n", "line 3:", "'1.5f' is not a number");
        assertFault(GENERAL + "1 1 1\n1 x 1.5\n", "line 3:", "the column is 'x'", "whole number");
    }

    @Test
    void moreThanTheSizesPromiseIsRefused() {
        assertFault(GENERAL + "1 1 1\n1 1 1\n1 1 1\n", "line 4:", "more after the 1 entries");
        assertFault(GENERAL + "1 1 1\n1 1 1 9\n", "line 3:", "'9' after the entry");
    }

    private SparseMatrix read(String text) throws IOException, InvalidProblemException {
        Path file = folder.resolve("matrix.mtx");
        Files.writeString(file, text);
        return MatrixMarketReader.read(file);
    }

    private void assertFault(String text, String... parts) {
        assertFault(assertThrows(InvalidProblemException.class, () -> read(text)), parts);
    }

    private static void assertFault(InvalidProblemException fault, String... parts) {
        for (String part : parts) {
            assertTrue(String.valueOf(fault.getMessage()).contains(part), () -> fault.getMessage() + " lacks " + part);
        }
    }

    private static byte[] gzip(String text) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (OutputStream out = new GZIPOutputStream(bytes)) {
            out.write(text.getBytes(StandardCharsets.UTF_8));
        }
        return bytes.toByteArray();
    }
}
