// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.pagerank;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.solver.Inputs;
import dev.volary.solver.InvalidProblemException;
import dev.volary.solver.Model;
import dev.volary.solver.ParameterValues;
import dev.volary.solver.testkit.InProcessSolver;
import dev.volary.solver.testkit.Solution;
import dev.volary.solvers.linear.Matrices;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Reference values without another source: scipy 1.17.1, a direct solve and, for those of sum 1, a power iteration too. */
class PageRankProblemTest {

    /** The example of Wikipedia's article "PageRank": pages A to K. B→C, C→B, D→A,B and others; A links to no page. */
    private static final String ELEVEN = """
            %%MatrixMarket matrix coordinate pattern general
            11 11 17
            2 3
            3 2
            4 1
            4 2
            5 2
            5 4
            5 6
            6 2
            6 5
            7 2
            7 5
            8 2
            8 5
            9 2
            9 5
            10 5
            11 5
            """;

    /** A page that links to itself, one without links, and weights. */
    private static final String WEIGHTED = """
            %%MatrixMarket matrix coordinate real general
            6 6 9
            1 2 2
            1 3 1
            2 3 0.5
            2 2 1.5
            3 1 3
            3 4 0.25
            4 6 1
            5 1 7
            5 4 2
            """;

    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5, 11})
    void ranksOverTheirSumAreThoseOfTheExampleInWikipedia(int blocks) throws Exception {
        double[] ranks = solve(open(ELEVEN, Map.of()), blocks, 1e-13);
        double[] expected = {
            0.03278149315934,
            0.3844009488136,
            0.3429102855084,
            0.03908709209997,
            0.0808856932345,
            0.03908709209997,
            0.01616947901686,
            0.01616947901686,
            0.01616947901686,
            0.01616947901686,
            0.01616947901686
        };
        double sum = Arrays.stream(ranks).sum();
        assertArrayEquals(expected, Arrays.stream(ranks).map(rank -> rank / sum).toArray(), 1e-12);
    }

    @ParameterizedTest
    @CsvSource({
        "RowToColumn, 1, 0.4006086967837546, 1, 0.0393757781726543, 902, 0.0314336455982274",
        "RowToColumn, 7, 0.4006086967837546, 1, 0.0393757781726543, 902, 0.0314336455982274",
        "ColumnToRow, 3, 0.332971094119098, 825, 0.00610048515823838, 918, 0.00589409766787521"
    })
    void theLargestRanksOfAGraphWithHubsAreFound(
            String direction, int blocks, double sum, int largest, double its, int third, double itsToo)
            throws Exception {
        double[] ranks =
                solve(open(Map.of("graph", "links.mtx.gz", "direction", direction), Matrices::example), blocks, 1e-12);
        assertEquals(sum, Arrays.stream(ranks).sum(), 1e-11);
        int[] order = IntStream.range(0, ranks.length)
                .boxed()
                .sorted((a, b) -> Double.compare(ranks[b], ranks[a]))
                .mapToInt(page -> page)
                .toArray();
        assertEquals(largest, order[0] + 1);
        assertEquals(its, ranks[order[0]] / sum, 1e-11);
        assertEquals(third, order[2] + 1);
        assertEquals(itsToo, ranks[order[2]] / sum, 1e-11);
    }

    @ParameterizedTest
    @CsvSource({
        "0.85, 0.140491315970975, 0.288584126115548, 0.126129999657997, 0.037969183738322, 0.025, 0.0572738061775737",
        "0.5, 0.181433588761175, 0.23009791400596, 0.142334504044274, 0.0980669965942954, 0.0833333333333333, 0.132366831630481"
    })
    void linksCountByTheirWeights(double damping, double a, double b, double c, double d, double e, double f)
            throws Exception {
        double[] ranks = solve(open(WEIGHTED, Map.of("damping", damping, "sweeps", 3)), 2, 1e-13);
        assertArrayEquals(new double[] {a, b, c, d, e, f}, ranks, 1e-12);
    }

    /** ‖x − x*‖₁ ≤ ‖r‖₁ / (1 − d): a tolerance relative to the scale 1 − d bounds the error itself. */
    @ParameterizedTest
    @ValueSource(doubles = {1e-1, 1e-3, 1e-6})
    void theToleranceBoundsTheSumOfTheErrors(double tolerance) throws Exception {
        Model model = open(Map.of("graph", "links.mtx.gz"), Matrices::example);
        double[] exact = solve(model, 1, 1e-13);
        Solution solution = InProcessSolver.open(model, 6).solve(tolerance, 1000);
        double error = IntStream.range(0, exact.length)
                .mapToDouble(page -> Math.abs(solution.vector()[page] - exact[page]))
                .sum();
        double residual = solution.residual().norm();
        // The residual is (I − d P) times the error, so it is at most 1 + d of it.
        assertTrue(residual / 1.85 <= error && error <= residual / 0.15 + 1e-13, error + " for " + residual);
        assertTrue(error <= tolerance + 1e-13, "error " + error);
    }

    @Test
    void aToleranceBelowTheRoundingErrorsIsKnownToBe() throws Exception {
        Model model = open(Map.of("graph", "links.mtx.gz"), Matrices::example);
        double floor = model.attainableFloor();
        double roundoff =
                InProcessSolver.open(model, 1).solve(1e-12, 1000).residual().roundoff() / model.scale();
        assertTrue(floor <= roundoff && floor > roundoff / 2, floor + " is far from " + roundoff);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "2 2 1;1 2 -1|has the weight -1.0 in entry (1, 2), must be positive; leave out links of weight 0",
                "2 3 1;1 2 1|the matrix is 2 × 3; a graph needs a square matrix",
                "500 500 1;1 2 1|there are only 1 entries for 500 vertices; leave out vertices without an edge"
            })
    void aGraphThatCannotBeUsedIsRefused(String lines, String message) {
        InvalidProblemException refused = assertThrows(
                InvalidProblemException.class,
                () -> open(
                        "%%MatrixMarket matrix coordinate real general\n" + lines.replace(';', '\n') + "\n", Map.of()));
        assertTrue(String.valueOf(refused.getMessage()).contains(message), refused.getMessage());
    }

    @Test
    void moreBlocksThanPagesAreRefused() throws Exception {
        Model model = open(ELEVEN, Map.of());
        assertTrue(String.valueOf(assertThrows(InvalidProblemException.class, () -> model.decompose(12))
                        .getMessage())
                .endsWith("has 11 pages; use 1 to 11 blocks"));
    }

    private Model open(String graph, Map<String, Object> parameters) throws InvalidProblemException, IOException {
        Path file = Files.writeString(folder.resolve("graph.mtx"), graph);
        Map<String, Object> all = new HashMap<>(parameters);
        all.put("graph", "in:graph.mtx");
        return open(all, reference -> file);
    }

    private static Model open(Map<String, Object> parameters, Inputs inputs) throws InvalidProblemException {
        PageRankProblem problem = new PageRankProblem();
        return problem.open(ParameterValues.of(problem.parameters(), parameters), inputs);
    }

    private static double[] solve(Model model, int blocks, double tolerance) throws InvalidProblemException {
        return InProcessSolver.open(model, blocks).solve(tolerance, 1000).vector();
    }
}
