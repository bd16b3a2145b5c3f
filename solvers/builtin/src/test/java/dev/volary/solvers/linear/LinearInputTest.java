// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.linear;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.solver.InvalidProblemException;
import dev.volary.solver.Model;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a matrix and a right-hand side must satisfy together. */
class LinearInputTest {
    private static final String HEADER = "%%MatrixMarket matrix coordinate real general\n";
    private static final String ONES = HEADER + "2 2 4\n1 1 1\n1 2 1\n2 1 1\n2 2 1\n";
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

    /** The files were written by numpy 2.4.6. */
    @Test
    void aVectorIsReadFromAnArrayOfNumPy() throws Exception {
        Path vector = resource("matrix/vector.npy");
        Path column = resource("matrix/column.npy");
        assertArrayEquals(new double[] {6, -8}, RightHandSide.read(vector, 2));
        assertArrayEquals(new double[] {6, -8}, RightHandSide.read(column, 2));
        assertFault(() -> RightHandSide.read(column, 3), "column.npy: is 2 × 1; for this matrix it must be 3");
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
    void relaxationNamesTheRowOfAZeroOrMissingDiagonal() {
        Map<String, Object> direct = Map.of("method", "Direct");
        assertFault(
                () -> open(HEADER + "2 2 4\n1 1 1\n1 2 1\n2 2 0\n2 1 1\n", "1\n1\n", direct)
                        .decompose(1),
                "zero diagonal in row 2",
                "method: Schwarz");
        assertFault(
                () -> open(HEADER + "2 2 3\n1 1 1\n1 2 1\n2 1 1\n", "1\n1\n", direct)
                        .decompose(1),
                "zero diagonal in row 2");
    }

    @Test
    void aColumnWithoutANonzeroEntryIsNamed() {
        assertFault(
                () -> open(HEADER + "2 2 3\n1 1 1\n2 2 0\n2 1 1\n", "1\n1\n", Map.of()),
                "no entry in column 2",
                "singular");
    }

    /** Rows 2 and 3 have entries in column 1 alone. */
    @Test
    void aStructurallySingularMatrixIsNamedWithItsRank() {
        String matrix = HEADER + "3 3 5\n1 1 1\n1 2 1\n1 3 1\n2 1 4\n3 1 5\n";
        assertFault(() -> open(matrix, "1\n1\n1\n", Map.of()), "structurally singular", "only 2 of its 3 rows");
    }

    @Test
    void permutedRowsWithoutADiagonalAreSolved() throws Exception {
        RoundRobin solver =
                new RoundRobin(open(HEADER + "3 3 4\n1 2 2\n2 3 4\n3 1 5\n3 2 1\n", "2\n8\n6\n", Map.of()), 1);
        solver.solve(1e-12, 3);
        assertArrayEquals(new double[] {1, 1, 2}, solver.vector(), 1e-12);
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
        Map<String, Object> direct = Map.of("method", "Direct");
        assertFault(() -> new RoundRobin(open(ONES, "1\n1\n", direct), 1), "block 0 of 1", "GaussSeidel");
    }

    @Test
    void aSingularMatrixIsRefusedByTheMethodsInRounds() {
        assertFault(() -> open(ONES, "1\n1\n", Map.of()).selfCheck(), "a.mtx", "singular to working precision");
        assertFault(
                () -> open(ONES, "1\n1\n", Map.of("method", "Schwarz")).selfCheck(), "singular to working precision");
        String nearly = HEADER + "2 2 4\n1 1 3\n1 2 1e-5\n2 1 9e5\n2 2 3.0000000000000004\n";
        assertFault(() -> open(nearly, "1\n1\n", Map.of()).selfCheck(), "singular to working precision");
    }

    @Test
    void aPureNeumannProblemIsNamedWithTheRemedy() {
        String neumann = HEADER + "2 2 4\n1 1 0.1\n1 2 -0.1\n2 1 -7\n2 2 7\n";
        assertFault(
                () -> open(neumann, "1\n-1\n", Map.of()).selfCheck(),
                "sums to zero in every row",
                "pure Neumann",
                "fix one unknown",
                "or set nullSpace: Constants");
        String part = HEADER + "3 3 5\n1 1 1\n2 2 1\n2 3 -1\n3 2 -1\n3 3 1\n";
        assertFault(() -> open(part, "1\n1\n1\n", Map.of()).selfCheck(), "2 unknowns", "such as row 2", "Neumann");
    }

    @Test
    void aPureNeumannProblemIsSolvedIfItsNullSpaceIsGiven() throws Exception {
        String neumann = HEADER + "2 2 4\n1 1 2\n1 2 -2\n2 1 -2\n2 2 2\n";
        for (String method : new String[] {"Auto", "Schwarz", "Direct", "GaussSeidel"}) {
            Model model = open(neumann, "1\n-1\n", Map.of("nullSpace", "Constants", "method", method));
            model.selfCheck();
            RoundRobin solver = new RoundRobin(model, 1);
            solver.solve(1e-14, 3);
            assertArrayEquals(new double[] {0, -0.5}, solver.vector(), 1e-14, method);
        }
    }

    /** D L D with the Laplacian L of a path takes 1/D to zero, which is largest where D is smallest. */
    @Test
    void aSingularMatrixWhoseRowsDoNotSumToZeroNamesAnUnknownToFix() {
        int n = 12;
        double[] scale = new double[n];
        Arrays.setAll(scale, i -> i == 6 ? 0.1 : Math.sqrt(i + 2));
        StringBuilder matrix = new StringBuilder(HEADER + n + " " + n + " " + (3 * n - 2) + "\n");
        for (int i = 0; i < n; i++) {
            for (int j = Math.max(0, i - 1); j <= Math.min(n - 1, i + 1); j++) {
                double entry = i == j ? (i % (n - 1) == 0 ? 1 : 2) : -1;
                matrix.append(i + 1)
                        .append(' ')
                        .append(j + 1)
                        .append(' ')
                        .append(scale[i] * entry * scale[j])
                        .append('\n');
            }
        }
        assertFault(
                () -> open(matrix.toString(), "1\n".repeat(n), Map.of()).selfCheck(),
                "singular to working precision: a vector that is largest in unknown 7",
                "fix one unknown");
    }

    /** The second unknown is 1e9, and its terms of size 1e9 cancel: the first row is known to 1e9 roundings at best. */
    @Test
    void theAttainableFloorKnowsTheSizeOfTheSolution() throws Exception {
        Model model = open(HEADER + "2 2 4\n1 1 1\n1 2 1\n2 1 1\n2 2 1.000000001\n", "1\n2\n", Map.of());
        model.selfCheck();
        double floor = model.attainableFloor();
        assertTrue(floor > 1e-8 && floor < 1e-6, "floor " + floor);
    }

    @Test
    void aBadlyScaledMatrixIsNotTakenForASingularOne() throws Exception {
        RoundRobin solver = new RoundRobin(open(HEADER + "2 2 2\n1 1 1e-150\n2 2 1e150\n", "1\n1\n", Map.of()), 1);
        solver.solve(1e-12, 3);
        assertArrayEquals(new double[] {1e150, 1e-150}, solver.vector(), 1e136);
    }

    @Test
    void aParameterThatTheMethodDoesNotUseIsRefused() {
        assertFault(
                () -> open(DIAGONAL, "1\n1\n", Map.of("method", "Direct", "overlap", 2)), "overlap is 2", "Schwarz");
        assertFault(
                () -> open(DIAGONAL, "1\n1\n", Map.of("method", "Direct", "vectors", 3)), "vectors is 3", "Schwarz");
        assertFault(() -> open(DIAGONAL, "1\n1\n", Map.of("sweeps", 2)), "sweeps is 2", "method Auto", "GaussSeidel");
    }

    @Test
    void aPatternWithoutValuesIsRefused() {
        String pattern = "%%MatrixMarket matrix coordinate pattern general\n2 2 2\n1 1\n2 2\n";
        assertFault(() -> open(pattern, "1\n1\n", Map.of()), "a.mtx line 1", "without values", "'real'");
    }

    private static Path resource(String name) throws URISyntaxException {
        URL found = LinearInputTest.class.getResource(name);
        return Path.of(Objects.requireNonNull(found, name).toURI());
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
