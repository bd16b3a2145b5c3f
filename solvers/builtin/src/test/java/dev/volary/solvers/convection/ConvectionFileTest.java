// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.convection;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.solver.InputFolders;
import dev.volary.solver.InvalidProblemException;
import dev.volary.solver.Model;
import dev.volary.solver.Preflight;
import dev.volary.solver.RedundantCoarseModel;
import dev.volary.solver.testkit.InProcessSolver;
import dev.volary.solver.testkit.ProblemUnderTest;
import dev.volary.solvers.field.ArrayFiles;
import dev.volary.solvers.field.DenseSystem;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Coefficients and right-hand sides from files. */
final class ConvectionFileTest {
    @TempDir
    private Path folder = Path.of("");

    @ParameterizedTest
    @CsvSource({
        "2, 12, Diagonal, PointJacobi, true",
        "2, 12, Vortex, PointJacobi, true",
        "2, 12, Vortex, Multigrid, true",
        "3, 9, Diagonal, PointJacobi, true",
        "3, 9, Vortex, Multigrid, true",
        "2, 12, Diagonal, Multigrid, false"
    })
    void constantDiffusionAndTheFlowOfARuleGiveTheSolutionOfTheRules(
            int axes, int n, ConvectionFlow flow, String method, boolean bits) throws InvalidProblemException {
        double epsilon = 0.07;
        Map<String, Object> common = Map.of("axes", axes, "points", n, "method", method);
        writeDiffusion(axes, n, constant(axes, n, epsilon));
        writeFlow(axes, n, velocities(axes, n, flow));
        double[] expected = solve(with(common, Map.of("diffusion", epsilon, "flow", flow.name())));
        for (Map<String, Object> files : List.<Map<String, Object>>of(
                Map.of("diffusionFile", "in:e.npy", "flow", flow.name()),
                Map.of("diffusion", epsilon, "flowFile", "in:v.npy"),
                Map.of("diffusionFile", "in:e.npy", "flowFile", "in:v.npy"))) {
            // Rows of constant coefficients are added in another order, by the levels of multigrid only.
            assertArrayEquals(expected, solve(with(common, files)), bits ? 0 : 1e-9);
        }
    }

    @ParameterizedTest
    @CsvSource({"2, 14, PointJacobi", "2, 14, Multigrid", "3, 8, PointJacobi", "3, 8, Multigrid"})
    void theRightHandSideOfARuleGivesTheBitsOfTheRule(int axes, int n, String method) throws InvalidProblemException {
        ConvectionEquation equation = new ConvectionEquation(
                new ConvectionCoefficients(axes, n, 0.1, ConvectionFlow.Vortex, null, null),
                ConvectionSource.Sines,
                null);
        ArrayFiles.write(
                folder.resolve("f.npy"),
                IntStream.range(0, size(axes, n))
                        .mapToDouble(i -> equation.source(i / n / n + 1, i / n % n + 1, i % n + 1))
                        .toArray(),
                shape(axes, n));
        Map<String, Object> common = Map.of("axes", axes, "points", n, "flow", "Vortex", "method", method);
        double[] expected = iterate(open(with(common, Map.of("f", "Sines"))));
        double[] found = iterate(open(with(common, Map.of("fFile", "in:f.npy"))));
        assertArrayEquals(expected, found);
    }

    /**
     * Diffusion that jumps by the given factor at random places, and velocities at random, which notice every order of axes and
     * components.
     */
    @ParameterizedTest
    @CsvSource({
        "2, 12, 1000, PointJacobi, 1",
        "2, 12, 1000, PointJacobi, 4",
        "2, 12, 8, Multigrid, 1",
        "2, 12, 8, Multigrid, 4",
        "3, 6, 100, PointJacobi, 4",
        "3, 7, 8, Multigrid, 2"
    })
    void theSolutionIsThatOfADirectSolve(int axes, int n, double jump, String method, int blocks)
            throws InvalidProblemException {
        int size = size(axes, n);
        double[] diffusion = jumps(5, size, 0.5, jump);
        double[] velocity = ArrayFiles.random(6, axes * size, -3, 3);
        double[] f = ArrayFiles.random(7, size, -1, 2);
        writeDiffusion(axes, n, diffusion);
        writeFlow(axes, n, velocity);
        ArrayFiles.write(folder.resolve("f.npy"), f, shape(axes, n));
        Model model = open(withFields(axes, n, method, "fFile", "in:f.npy"));
        model.selfCheck();
        double[] found = InProcessSolver.open(runnable(model), blocks)
                .solve(1e-10, 50_000)
                .vector();
        double[] expected = DenseSystem.solve(axes, n, diffusion, velocity, f);
        double largest = Arrays.stream(expected).map(Math::abs).max().orElseThrow();
        assertArrayEquals(expected, found, 1e-8 * largest);
    }

    /** Parameters of a problem whose diffusion and velocity come from files. */
    private static Map<String, Object> withFields(int axes, int n, String method, String source, String value) {
        return Map.of(
                "axes",
                axes,
                "points",
                n,
                "method",
                method,
                "diffusionFile",
                "in:e.npy",
                "flowFile",
                "in:v.npy",
                source,
                value);
    }

    /** The scheme is applied to a product of sines, so its solution is known without a direct solve. */
    @ParameterizedTest
    @CsvSource({"2, 20, 8, Multigrid", "2, 16, 100, PointJacobi", "3, 9, 8, Multigrid"})
    void aProductOfSinesSolvesTheSchemeWithItsRightHandSide(int axes, int n, double jump, String method)
            throws InvalidProblemException {
        int size = size(axes, n);
        writeDiffusion(axes, n, jumps(8, size, 0.5, jump));
        writeFlow(axes, n, ArrayFiles.random(9, axes * size, -3, 3));
        Map<String, Object> parameters = withFields(axes, n, method, "f", "Sines");
        double[] u = InProcessSolver.open(runnable(open(parameters)), 3)
                .solve(1e-12, 50_000)
                .vector();
        for (int i = 0; i < u.length; i++) {
            double expected = sine(i % n, n) * sine(i / n % n, n) * (axes == 3 ? sine(i / n / n, n) : 1);
            assertEquals(expected, u[i], 1e-9);
        }
    }

    private static double sine(int index, int n) {
        return Math.sin(Math.PI * (index + 1) / (n + 1));
    }

    /** An M-matrix with dominant rows, however ε jumps and v turns; |T| has a spectral radius below 1. */
    @Test
    void everyDiffusionAndVelocityIsCertified() throws InvalidProblemException {
        int n = 7;
        for (long seed = 1; seed <= 5; seed++) {
            double[] diffusion = jumps(seed, n * n, 1e-2, 1e4);
            double[] velocity = ArrayFiles.random(seed + 10, 2 * n * n, -1, 1);
            writeDiffusion(2, n, diffusion);
            writeFlow(2, n, velocity);
            Model model = open(Map.of("points", n, "diffusionFile", "in:e.npy", "flowFile", "in:v.npy"));
            model.selfCheck();
            Preflight known = model.preflight(model.decompose(2)).orElseThrow();
            assertEquals(Preflight.Verdict.CERTIFIED, known.verdict());
            assertTrue(model.predictedIterations(model.decompose(2), 1e-6).isEmpty(), "no rate is claimed");
            double[][] matrix = DenseSystem.matrix(2, n, diffusion, velocity);
            assertTrue(DenseSystem.jacobiRate(matrix) < 1, "seed " + seed);
        }
    }

    @ParameterizedTest
    @CsvSource({"2, 14, 1", "2, 14, 8", "2, 40, 8", "3, 9, 8"})
    void theToleranceMayBeAsSmallAsTheAttainableFloor(int axes, int n, double jump) throws InvalidProblemException {
        int size = size(axes, n);
        writeDiffusion(axes, n, jumps(11, size, 0.2, jump));
        writeFlow(axes, n, ArrayFiles.random(12, axes * size, -1, 1));
        for (String method : new String[] {"PointJacobi", "Multigrid"}) {
            Model model = open(Map.of(
                    "axes", axes, "points", n, "method", method, "diffusionFile", "in:e.npy", "flowFile", "in:v.npy"));
            assertTrue(model.attainableFloor() < 1e-10);
            InProcessSolver.open(runnable(model), 2).solve(model.attainableFloor(), 50_000);
        }
    }

    @Test
    void strongConvectionAndJumpsRelaxUnlessMultigridIsAskedFor() throws InvalidProblemException {
        int n = 31;
        double[] velocity = velocities(2, n, ConvectionFlow.Vortex);
        velocity[n * n + 5 * n + 6] = 30;
        writeFlow(2, n, velocity);
        String finding = "Multigrid needs h|v|/ε up to 4, and it is 9.38 at [5, 6]";
        assertRelaxes(Map.of("points", n, "diffusion", "0.1", "flowFile", "in:v.npy"), "flowFile", "in:v.npy", finding);
        double[] diffusion = constant(2, n, 1);
        diffusion[5 * n + 6] = 20;
        writeDiffusion(2, n, diffusion);
        assertRelaxes(
                Map.of("points", n, "diffusionFile", "in:e.npy"),
                "diffusionFile",
                "in:e.npy",
                "Multigrid needs a diffusion that changes by a factor of 8 within 8 points at most, and it changes by 20.0"
                        + " near [1, 6]");
    }

    private void assertRelaxes(Map<String, Object> parameters, String name, String file, String finding)
            throws InvalidProblemException {
        Model model = open(parameters);
        assertEquals(
                "PointJacobi (" + finding + ")",
                model.method(model.decompose(2)).orElseThrow());
        assertEquals(
                name + " is \"" + file + "\", but " + finding
                        + "; use method PointJacobi, or leave method and levels out",
                assertThrows(InvalidProblemException.class, () -> open(with(parameters, Map.of("method", "Multigrid"))))
                        .getMessage());
    }

    /** Beyond these limits rounds diverge; up to them they converge, on two grids with a vortex of the largest cell Péclet number. */
    @ParameterizedTest
    @CsvSource({"2, 63, 60", "3, 20, 40"})
    void multigridConvergesUpToItsLimits(int axes, int n, int most) throws InvalidProblemException {
        int size = size(axes, n);
        double[] diffusion = new double[size];
        for (int i = 0; i < size; i++) {
            int cell = i % n / 5 + i / n % n / 5 + i / n / n / 5;
            diffusion[i] = cell % 2 == 0 ? 1 : 8;
        }
        writeDiffusion(axes, n, diffusion);
        double[] velocity = velocities(axes, n, ConvectionFlow.Vortex);
        writeFlow(axes, n, Arrays.stream(velocity).map(v -> 4 * (n + 1) * v).toArray());
        Model model = open(Map.of("axes", axes, "points", n, "diffusionFile", "in:e.npy", "flowFile", "in:v.npy"));
        assertTrue(model.method(model.decompose(4)).orElseThrow().startsWith("Multigrid"));
        InProcessSolver.open(runnable(model), 4).solve(1e-8, most);
    }

    @Test
    void filesThatCannotBeUsedAreFoundBeforeTheJobStarts() throws InvalidProblemException {
        double[] diffusion = constant(2, 5, 1);
        diffusion[7] = 0;
        writeDiffusion(2, 5, diffusion);
        String zero = "diffusionFile is \"in:e.npy\", which is 0.0 at [1, 2]; every number must be positive";
        assertRefused(zero, () -> open(Map.of("points", 5, "diffusionFile", "in:e.npy")));
        Model relaxed = open(Map.of("points", 5, "diffusionFile", "in:e.npy", "method", "PointJacobi"));
        assertRefused(zero, relaxed::selfCheck);
        double[] velocity = new double[50];
        velocity[33] = Double.NEGATIVE_INFINITY;
        writeFlow(2, 5, velocity);
        assertRefused(
                "flowFile is \"in:v.npy\", which is -Infinity at [1, 1, 3]; every number must be finite",
                () -> open(Map.of("points", 5, "flowFile", "in:v.npy")));
        ArrayFiles.write(folder.resolve("v.npy"), velocity, 5, 5, 2);
        assertRefused(
                "flowFile is \"in:v.npy\", which is 5 × 5 × 2, but this problem needs 2 × 5 × 5; write an array of this"
                        + " shape, or change the number of points",
                () -> open(Map.of("points", 5, "flowFile", "in:v.npy")));
        assertRefused(
                "diffusionFile is \"in:e.npy\", but diffusion is given too, as 0.1; remove one of them",
                () -> open(Map.of("points", 5, "diffusionFile", "in:e.npy", "diffusion", "0.1")));
    }

    private static void assertRefused(String message, Executable action) {
        assertEquals(
                message, assertThrows(InvalidProblemException.class, action).getMessage());
    }

    private double[] solve(Map<String, Object> parameters) throws InvalidProblemException {
        return iterate(open(parameters));
    }

    private static double[] iterate(Model model) throws InvalidProblemException {
        InProcessSolver solver = InProcessSolver.open(runnable(model), 4);
        for (int i = 0; i < 8; i++) {
            solver.step();
        }
        return solver.vector();
    }

    private Model open(Map<String, Object> parameters) throws InvalidProblemException {
        return new ProblemUnderTest(new ConvectionProblem(), parameters, new InputFolders(Map.of("in", folder))).open();
    }

    private static Model runnable(Model model) {
        return RedundantCoarseModel.of(model);
    }

    private void writeDiffusion(int axes, int n, double[] values) {
        ArrayFiles.write(folder.resolve("e.npy"), values, shape(axes, n));
    }

    private void writeFlow(int axes, int n, double[] values) {
        ArrayFiles.write(
                folder.resolve("v.npy"),
                values,
                IntStream.concat(IntStream.of(axes), Arrays.stream(shape(axes, n)))
                        .toArray());
    }

    /** The velocity of a rule at each point, one component after the other. */
    private static double[] velocities(int axes, int n, ConvectionFlow flow) {
        int size = size(axes, n);
        double h = 1.0 / (n + 1);
        double[] values = new double[axes * size];
        for (int k = 0; k < values.length; k++) {
            int i = k % size;
            values[k] = flow.at(k / size + 3 - axes, (i / n % n + 1) * h, (i % n + 1) * h);
        }
        return values;
    }

    private static double[] jumps(long seed, int size, double least, double factor) {
        return Arrays.stream(ArrayFiles.random(seed, size, 0, 1))
                .map(x -> x < 0.5 ? least : least * factor)
                .toArray();
    }

    private static double[] constant(int axes, int n, double value) {
        double[] values = new double[size(axes, n)];
        Arrays.fill(values, value);
        return values;
    }

    private static int size(int axes, int n) {
        return axes == 3 ? n * n * n : n * n;
    }

    private static int[] shape(int axes, int n) {
        return axes == 3 ? new int[] {n, n, n} : new int[] {n, n};
    }

    private static Map<String, Object> with(Map<String, Object> common, Map<String, Object> more) {
        Map<String, Object> all = new HashMap<>(common);
        all.putAll(more);
        return all;
    }
}
