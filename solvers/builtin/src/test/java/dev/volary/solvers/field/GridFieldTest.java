// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.field;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.solver.InputFolders;
import dev.volary.solver.InvalidProblemException;
import dev.volary.solver.Parameter;
import dev.volary.solver.ParameterValues;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class GridFieldTest {
    private static final Parameter<Double> RULE = Parameter.real("depth", "Depth.", 1, 0, 10);
    private static final Parameter<String> FILE = GridField.parameter(RULE, "Depth at each point");

    @TempDir
    private Path folder = Path.of("");

    @Test
    void theParameterIsNamedAfterTheRule() {
        assertEquals("depthFile", FILE.name());
        assertEquals("Depth at each point: an .npy file of numpy.save, instead of depth.", FILE.documentation());
    }

    @Test
    void numbersAreReadByTheirPlaceInDoubleAndSinglePrecision() throws InvalidProblemException {
        write(1, -2, 3, 0.5, 5, 6);
        GridField field = open();
        assertEquals(0.5, field.at(3));
        assertEquals(new GridField.Range(-2, 6), field.range());
        assertEquals(6, field.normOfRightHandSide());
        ByteBuffer singles = ByteBuffer.allocate(24);
        for (float value : new float[] {1, 2, -7, 4, 5, 6}) {
            singles.putFloat(value);
        }
        ArrayFiles.write(folder.resolve("d.npy"), ">f4", false, singles, 2, 3);
        assertEquals(-7, open().at(2));
        assertEquals(7, open().normOfRightHandSide());
    }

    @Test
    void nothingIsReadWhereTheRuleIsUsed() throws InvalidProblemException {
        assertTrue(find(Map.of("depth", 2.0)).isEmpty());
    }

    @Test
    void aRuleAndAFileAreRefusedAlsoWhereTheRuleIsTheDefault() {
        write(1, 2, 3, 4, 5, 6);
        assertRefused(
                "depthFile is \"in:d.npy\", but depth is given too, as 1.0; remove one of them",
                () -> find(Map.of("depthFile", "in:d.npy", "depth", 1)));
    }

    @Test
    void anotherShapeIsRefused() {
        ArrayFiles.write(folder.resolve("d.npy"), new double[6], 3, 2);
        assertRefused(
                "depthFile is \"in:d.npy\", which is 3 × 2, but this problem needs 2 × 3; write an array of this shape,"
                        + " or change the number of points",
                this::open);
    }

    @ParameterizedTest
    @CsvSource({
        "NaN, 'which is NaN at [1, 0]; every number must be finite'",
        "Infinity, 'which is Infinity at [1, 0]; every number must be finite'",
        "-1e101, 'which is -1.0E101 at [1, 0]; scale the problem: numbers beyond 1e100 may overflow'"
    })
    void aNumberThatCannotBeUsedIsNamedWithItsPlace(double value, String finding) throws InvalidProblemException {
        write(1, 2, 3, value, 5, 6);
        GridField field = open();
        String expected = "depthFile is \"in:d.npy\", " + finding;
        assertRefused(expected, field::range);
        assertRefused(expected, field::normOfRightHandSide);
        assertRefused(expected, field::requirePositive);
    }

    @ParameterizedTest
    @CsvSource({
        "0, 'which is 0.0 at [0, 2]; every number must be positive'",
        "-3, 'which is -3.0 at [0, 2]; every number must be positive'",
        "1e-101, 'which is 1.0E-101 at [0, 2]; scale the problem: such numbers may underflow'"
    })
    void aNumberThatIsNotPositiveIsNamedWithItsPlace(double value, String finding) throws InvalidProblemException {
        write(1, 2, value, 4, 5, 6);
        GridField field = open();
        assertRefused("depthFile is \"in:d.npy\", " + finding, field::requirePositive);
        assertEquals(6, field.normOfRightHandSide());
    }

    @Test
    void aRightHandSideOfZerosIsRefused() throws InvalidProblemException {
        write(0, 0, 0, -0.0, 0, 0);
        assertRefused(
                "depthFile is \"in:d.npy\", which is zero everywhere: so is the solution, and a relative tolerance means"
                        + " nothing; give a right-hand side that is not zero",
                open()::normOfRightHandSide);
        write(0, 0, 1e-200, 0, 0, 0);
        assertRefused(
                "depthFile is \"in:d.npy\", which is 1.00e-200 at most; scale the problem: such numbers may underflow",
                open()::normOfRightHandSide);
    }

    @Test
    void aFileThatIsMissingOrNoArrayOfRealNumbersInCOrderIsRefused() throws Exception {
        assertUnusable("in:d.npy does not exist: there is no " + folder.resolve("d.npy"));
        Files.writeString(folder.resolve("d.npy"), "1 2 3");
        assertUnusable("d.npy: is not a NumPy array");
        writeZeros("<i8", false, 48);
        assertUnusable("d.npy: has elements of type <i8; write real numbers: A.astype(\"float64\")");
        writeZeros("<c16", false, 96);
        assertUnusable("d.npy: has elements of type <c16");
        writeZeros("<f8", true, 48);
        assertUnusable("d.npy: is in Fortran order; write numpy.ascontiguousarray(A)");
        writeZeros("<f8", false, 40);
        assertUnusable("but its shape 2 × 3 takes ");
        writeZeros("<f8", false, 49);
        assertUnusable("there is more after the 6 elements of its shape");
    }

    /** An array of 2 × 3 elements by its header. */
    private void writeZeros(String type, boolean isFortran, int bytes) {
        ArrayFiles.write(
                folder.resolve("d.npy"),
                type,
                isFortran,
                ByteBuffer.allocate(bytes).position(bytes),
                2,
                3);
    }

    private void assertUnusable(String cause) {
        String message = String.valueOf(
                assertThrows(InvalidProblemException.class, this::open).getMessage());
        assertTrue(message.startsWith("depthFile is \"in:d.npy\", which cannot be used: "), message);
        assertTrue(message.contains(cause), message);
    }

    /** The order of bytes is that of the type. */
    @Test
    void littleAndBigEndianNumbersAreTheSame() throws InvalidProblemException {
        for (ByteOrder order : List.of(ByteOrder.LITTLE_ENDIAN, ByteOrder.BIG_ENDIAN)) {
            ByteBuffer elements = ByteBuffer.allocate(48).order(order);
            Arrays.stream(new double[] {1, 2, 3, 4.25, 5, 6}).forEach(elements::putDouble);
            String type = order == ByteOrder.LITTLE_ENDIAN ? "<f8" : ">f8";
            ArrayFiles.write(folder.resolve("d.npy"), type, false, elements, 2, 3);
            assertEquals(4.25, open().at(3));
        }
    }

    private void write(double... values) {
        ArrayFiles.write(folder.resolve("d.npy"), values, 2, 3);
    }

    private GridField open() throws InvalidProblemException {
        return find(Map.of("depthFile", "in:d.npy")).orElseThrow();
    }

    private Optional<GridField> find(Map<String, Object> given) throws InvalidProblemException {
        return GridField.find(
                ParameterValues.of(List.of(RULE, FILE), given),
                RULE,
                FILE,
                new InputFolders(Map.of("in", folder)),
                List.of(2, 3));
    }

    private static void assertRefused(String message, Executable action) {
        assertEquals(
                message, assertThrows(InvalidProblemException.class, action).getMessage());
    }
}
