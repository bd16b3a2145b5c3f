// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.linear;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.solver.Model;
import dev.volary.solver.Problem;
import java.util.Arrays;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LinearSystemProblemTest {

    // Reference answers: examples/data/README.md (scipy 1.17.1, direct solve in double precision), given to 13 digits.
    private static final double AIRFOIL_FIRST = 3.553338780845e-01;
    private static final double AIRFOIL_131 = 3.872596140228;
    private static final double AIRFOIL_NORM = 7.857484680444e+01;
    private static final double AIRFOIL_MAX = 9.100742180626;
    private static final double RECIRC_FIRST = 1.119517081810e+02;
    private static final double RECIRC_113 = 1.874657205173e+03;
    private static final double RECIRC_NORM = 1.679318648019e+04;

    @ParameterizedTest
    @CsvSource({
        "PointJacobi, 1, 1",
        "PointJacobi, 1, 4",
        "PointJacobi, 1, 13",
        "GaussSeidel, 1, 1",
        "GaussSeidel, 1, 5",
        "GaussSeidel, 4, 8",
        "Direct, 1, 1",
        "Direct, 1, 2",
        "Direct, 1, 8",
        "Direct, 1, 40"
    })
    void airfoilIsSolvedByEveryMethodOnAnyNumberOfBlocks(String method, int sweeps, int blocks) throws Exception {
        RoundRobin solver = new RoundRobin(Matrices.open("airfoil.mtx.gz", method, sweeps), blocks);
        solver.solve(1e-12, 5000);
        double[] x = solver.vector();
        assertEquals(AIRFOIL_FIRST, x[0], 1e-10 * AIRFOIL_MAX);
        assertEquals(AIRFOIL_131, x[130], 1e-10 * AIRFOIL_MAX);
        assertEquals(AIRFOIL_NORM, norm(x), 1e-10 * AIRFOIL_NORM);
        assertEquals(AIRFOIL_MAX, Arrays.stream(x).max().orElseThrow(), 1e-10 * AIRFOIL_MAX);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4})
    void recirculatingFlowIsSolvedByLargeBlocksWithDirectSolves(int blocks) throws Exception {
        RoundRobin solver = new RoundRobin(Matrices.open("recirc_flow.mtx.gz", "Direct", 1), blocks);
        solver.solve(1e-10, 5000);
        double[] x = solver.vector();
        // The tolerance of x is that of the residual, 1e-10, times a condition of about 1e4.
        assertEquals(RECIRC_FIRST, x[0], 1e-6 * RECIRC_FIRST);
        assertEquals(RECIRC_113, x[112], 1e-6 * RECIRC_113);
        assertEquals(RECIRC_113, Arrays.stream(x).max().orElseThrow(), 1e-6 * RECIRC_113);
        assertEquals(RECIRC_NORM, norm(x), 1e-6 * RECIRC_NORM);
    }

    @Test
    void appearsByItsNameThroughTheServiceLoader() {
        assertTrue(ServiceLoader.load(Problem.class).stream()
                .map(ServiceLoader.Provider::get)
                .anyMatch(problem -> problem.name().equals("linear-system") && problem instanceof LinearSystemProblem));
    }

    @Test
    void rowSumsAsRightHandSideMakeTheSolutionOne() throws Exception {
        Model model =
                Matrices.open(java.util.Map.of("matrix", "airfoil.mtx.gz", "rhsRule", "RowSums"), Matrices::example);
        RoundRobin solver = new RoundRobin(model, 3);
        solver.solve(1e-12, 5000);
        for (double value : solver.vector()) {
            assertEquals(1, value, 1e-9);
        }
    }

    private static double norm(double[] x) {
        return Math.sqrt(Arrays.stream(x).map(v -> v * v).sum());
    }
}
