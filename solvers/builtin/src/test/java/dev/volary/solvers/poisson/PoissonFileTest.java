// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.poisson;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.volary.solver.InputFolders;
import dev.volary.solver.InvalidProblemException;
import dev.volary.solver.Model;
import dev.volary.solver.RedundantCoarseModel;
import dev.volary.solver.testkit.InProcessSolver;
import dev.volary.solver.testkit.ProblemUnderTest;
import dev.volary.solvers.field.ArrayFiles;
import dev.volary.solvers.field.DenseSystem;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Right-hand sides from a file. */
final class PoissonFileTest {
    @TempDir
    private Path folder = Path.of("");

    @ParameterizedTest
    @CsvSource({
        "One, Relaxation, 0",
        "Sines, Relaxation, 0",
        "Sines, Multigrid, 0",
        "Polynomial, Multigrid, 2",
        "One, Multigrid, 1"
    })
    void theFileOfARuleGivesTheBitsOfTheRule(PoissonSource rule, String method, int levels)
            throws InvalidProblemException {
        int n = 13;
        PoissonEquation equation = new PoissonEquation(n, rule, null);
        double[] f = new double[n * n * n];
        for (int i = 0; i < f.length; i++) {
            f[i] = equation.sourceAt(i / n / n, i / n % n, i % n);
        }
        ArrayFiles.write(folder.resolve("f.npy"), f, n, n, n);
        Map<String, Object> common = Map.of("points", n, "method", method, "levels", levels);
        for (int blocks : new int[] {1, 4}) {
            double[] expected = iterate(open(with(common, "f", rule.name())), blocks);
            double[] found = iterate(open(with(common, "fFile", "in:f.npy")), blocks);
            assertArrayEquals(expected, found);
        }
    }

    private static double[] iterate(Model model, int blocks) throws InvalidProblemException {
        InProcessSolver solver = InProcessSolver.open(runnable(model), blocks);
        for (int i = 0; i < 6; i++) {
            solver.step();
        }
        return solver.vector();
    }

    /** Seven-point differences of −Δ, assembled and solved here; numbers at random notice every order of the axes. */
    @ParameterizedTest
    @CsvSource({"Relaxation, 1", "Relaxation, 4", "Multigrid, 1", "Multigrid, 4"})
    void theSolutionIsThatOfADirectSolve(String method, int blocks) throws InvalidProblemException {
        int n = 7;
        double[] f = ArrayFiles.random(3, n * n * n, -1, 2);
        ArrayFiles.write(folder.resolve("f.npy"), f, n, n, n);
        Model model = open(Map.of("points", n, "fFile", "in:f.npy", "method", method));
        double[] found = InProcessSolver.open(runnable(model), blocks)
                .solve(1e-11, 10_000)
                .vector();
        double[] ones = new double[n * n * n];
        Arrays.fill(ones, 1);
        assertArrayEquals(DenseSystem.solve(3, n, ones, new double[3 * n * n * n], f), found, 1e-12);
    }

    @Test
    void theScaleIsTheLargestMagnitude() throws InvalidProblemException {
        double[] f = ArrayFiles.random(4, 125, -1, 1);
        f[77] = -3.5;
        ArrayFiles.write(folder.resolve("f.npy"), f, 5, 5, 5);
        Model model = open(Map.of("points", 5, "fFile", "in:f.npy"));
        model.selfCheck();
        assertEquals(3.5, model.scale());
        InProcessSolver.open(runnable(model), 2).solve(model.attainableFloor(), 100);
    }

    @ParameterizedTest
    @CsvSource({"Auto", "Relaxation", "Multigrid"})
    void aNumberThatIsNotFiniteIsFoundBeforeTheJobStarts(String method) throws InvalidProblemException {
        double[] f = new double[125];
        f[86] = Double.NaN;
        ArrayFiles.write(folder.resolve("f.npy"), f, 5, 5, 5);
        Model model = open(Map.of("points", 5, "fFile", "in:f.npy", "method", method));
        assertEquals(
                "fFile is \"in:f.npy\", which is NaN at [3, 2, 1]; every number must be finite",
                assertThrows(InvalidProblemException.class, model::selfCheck).getMessage());
    }

    private Model open(Map<String, Object> parameters) throws InvalidProblemException {
        return new ProblemUnderTest(new PoissonProblem(), parameters, new InputFolders(Map.of("in", folder))).open();
    }

    private static Model runnable(Model model) {
        return RedundantCoarseModel.of(model);
    }

    private static Map<String, Object> with(Map<String, Object> common, String name, Object value) {
        Map<String, Object> all = new HashMap<>(common);
        all.put(name, value);
        return all;
    }
}
