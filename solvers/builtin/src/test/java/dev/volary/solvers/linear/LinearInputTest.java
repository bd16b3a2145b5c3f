// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.linear;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.solver.InvalidProblemException;
import dev.volary.solver.Model;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a matrix and a right-hand side must satisfy together. */
class LinearInputTest {
    private static final String HEADER = "%%MatrixMarket matrix coordinate real general\n";
    private static final String DIAGONAL = HEADER + "2 2 2\n1 1 2\n2 2 4\n";

    @TempDir
    private Path folder;

    @Test
    void aVectorizReadFromPlainTextAndFromBothMatrixMarketFormats() throws Exception {
        double[] expected = {6, -8};
        assertArrayEquals(expected, rhs("# two numbers\n6\n\n-8\n"));
        assertArrayEquals(expected, rhs("%%MatrixMarket matrix array real general\n2 1\n6\n-8\n"));
        assertArrayEquals(expected, rhs("%%MatrixMarket matrix coordinate real general\n% c\n2 1 2\n2 1 -8\n1 1 6\n"));
    }

    @Test
    void aRightHandSideFileTakesPrecedenceOverTheRule() throws Exception {
        Model model = open(DIAGONAL, "6\n-8\n", Map.of("rhsRule", "Ones"));
        assertEquals(8, model.scale());
        RoundRobin solver = new RoundRobin(model, 1);
        solver.solve(1e-14, 3);
        assertArrayEquals(new double[] {3, -2}, solver.vector(), 1e-14);
    }

    @Test
    void aRightHandSideOfTheWrongLengthIsRefused() {
        assertFault(() -> rhs("1\n"), "rhs.txt line 2:", "ends after 1 numbers", "2 rows");
        assertFault(() -> rhs("1\n2\n3\n"), "rhs.txt line 3:", "more than 2 numbers");
        assertFault(() -> rhs("%%MatrixMarket matrix array real general\n3 1\n1\n2\n3\n"), "line 2:", "3 × 1", "2 × 1");
    }

    @Test
    void aRightHandSideOfZerosIsRefused() {
        assertFault(() -> open(DIAGONAL, "0\n0\n", Map.of()), "zeros", "x = 0");
    }

    @Test
    void aZeroOrMissingDiagonalNamesTheRow() {
        assertFault(() -> open(HEADER + "2 2 3\n1 1 1\n2 2 0\n2 1 1\n", "1\n1\n", Map.of()), "zero diagonal in row 2");
        assertFault(() -> open(HEADER + "2 2 2\n1 1 1\n2 1 1\n", "1\n1\n", Map.of()), "zero diagonal in row 2");
    }

    @Test
    void anEmptyRowIsNamed() {
        assertFault(() -> open(HEADER + "2 2 2\n1 1 1\n1 2 1\n", "1\n1\n", Map.of()), "no entry in row 2", "singular");
    }

    @Test
    void moreBlocksThanUnknownsAreRefused() {
        assertFault(
                () -> open(DIAGONAL, "1\n1\n", Map.of()).decompose(3), "blocks is 3", "2 unknowns", "1 to 2 blocks");
    }

    @Test
    void aSingularDiagonalBlockIsNamedWithAWayOut() {
        String singular = HEADER + "2 2 4\n1 1 1\n1 2 1\n2 1 1\n2 2 1\n";
        assertFault(() -> new RoundRobin(open(singular, "1\n1\n", Map.of()), 1), "block 0 of 1", "GaussSeidel");
    }

    private double[] rhs(String text) throws Exception {
        return RightHandSide.read(Files.writeString(folder.resolve("rhs.txt"), text), 2);
    }

    private Model open(String matrix, String rhs, Map<String, Object> more) throws Exception {
        Files.writeString(folder.resolve("a.mtx"), matrix);
        Files.writeString(folder.resolve("b.txt"), rhs);
        Map<String, Object> parameters = new HashMap<>(more);
        parameters.put("matrix", "a.mtx");
        parameters.put("rhs", "b.txt");
        return Matrices.open(parameters, folder::resolve);
    }

    private static void assertFault(org.junit.jupiter.api.function.Executable action, String... parts) {
        String message = String.valueOf(
                assertThrows(InvalidProblemException.class, action).getMessage());
        for (String part : parts) {
            assertTrue(message.contains(part), () -> message + " lacks " + part);
        }
    }
}
