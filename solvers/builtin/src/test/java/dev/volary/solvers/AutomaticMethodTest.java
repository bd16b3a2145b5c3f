// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.solver.Decomposition;
import dev.volary.solver.Inputs;
import dev.volary.solver.InvalidProblemException;
import dev.volary.solver.Model;
import dev.volary.solver.ParameterValues;
import dev.volary.solver.Problem;
import dev.volary.solver.RedundantCoarseBlock;
import dev.volary.solver.Resources;
import dev.volary.solver.testkit.InProcessSolver;
import java.util.HashMap;
import java.util.Map;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the problems on grids run when a job names no method. */
final class AutomaticMethodTest {

    @ParameterizedTest
    @CsvSource({"heat2d", "heat2d-implicit", "obstacle3d", "poisson3d"})
    void multigridInRoundsIsTheDefault(String problem) throws InvalidProblemException {
        Model model = open(problem, Map.of("points", 15));
        Decomposition decomposition = model.decompose(4);
        assertEquals("Multigrid, levels 1", model.method(decomposition).orElseThrow());
        for (int b = 0; b < 4; b++) {
            assertInstanceOf(RedundantCoarseBlock.class, model.block(decomposition, b, Resources.SINGLE));
        }
        assertTrue(model.worksInRounds(decomposition));
        assertTrue(model.preflight(decomposition).isEmpty());
    }

    @ParameterizedTest
    @CsvSource({"heat2d, PointJacobi", "heat2d-implicit, PointJacobi", "obstacle3d, Relaxation", "poisson3d, Relaxation"
    })
    void blocksThatAreTooManyForRoundsRelax(String problem, String relaxation) throws InvalidProblemException {
        Model model = open(problem, Map.of("points", 15));
        Decomposition decomposition = model.decompose(75);
        assertEquals(
                relaxation + " (Multigrid takes at most 64 blocks)",
                model.method(decomposition).orElseThrow());
        Model relaxed = open(problem, Map.of("points", 15, "method", relaxation));
        assertEquals(relaxed.decompose(75), decomposition);
        assertEquals(
                relaxed.block(decomposition, 74, Resources.SINGLE).getClass(),
                model.block(decomposition, 74, Resources.SINGLE).getClass());
        assertFalse(model.worksInRounds(decomposition));
        assertTrue(model.preflight(decomposition).isPresent());
    }

    @Test
    void aGridThatCannotBeCoarsenedRelaxes() throws InvalidProblemException {
        Model model = open("obstacle3d", Map.of("points", 1));
        assertEquals(
                "Relaxation (a grid of 1 × 1 × 1 points cannot be coarsened for Multigrid)",
                model.method(model.decompose(1)).orElseThrow());
        InProcessSolver.open(model, 1).solve(1e-10, 100);
    }

    @ParameterizedTest
    @CsvSource({
        "heat2d, sweeps, 8, PointJacobi",
        "heat2d, overlap, 0, PointJacobi",
        "heat2d-implicit, sweeps, 8, PointJacobi",
        "obstacle3d, gamma, 0.15, Relaxation"
    })
    void aParameterOfTheRelaxationChoosesIt(String problem, String parameter, String value, String relaxation)
            throws InvalidProblemException {
        Object given = parameter.equals("gamma") ? (Object) value : Integer.valueOf(value);
        Model model = open(problem, Map.of("points", 15, parameter, given));
        assertEquals(relaxation, model.method(model.decompose(4)).orElseThrow());
    }

    @ParameterizedTest
    @CsvSource({"heat2d", "heat2d-implicit", "obstacle3d", "poisson3d"})
    void levelsChooseMultigrid(String problem) throws InvalidProblemException {
        Model model = open(problem, Map.of("points", 15, "levels", 2));
        assertEquals("Multigrid, levels 2", model.method(model.decompose(4)).orElseThrow());
    }

    @ParameterizedTest
    @CsvSource({"heat2d, PointJacobi", "heat2d-implicit, PointJacobi", "obstacle3d, Relaxation", "poisson3d, Relaxation"
    })
    void everyCutThatRelaxationTakesIsTakenAndSolved(String problem, String relaxation) throws InvalidProblemException {
        for (int n = 2; n <= 5; n++) {
            Model model = open(problem, Map.of("points", n));
            Model relaxed = open(problem, Map.of("points", n, "method", relaxation));
            for (int blocks = 1; blocks <= n * n * n; blocks++) {
                if (isCut(relaxed, blocks)) {
                    InProcessSolver.open(model, blocks).solve(1e-8, 400);
                } else {
                    int refused = blocks;
                    assertThrows(InvalidProblemException.class, () -> model.decompose(refused));
                }
            }
        }
    }

    private static boolean isCut(Model model, int blocks) {
        try {
            return model.decompose(blocks).blocks() == blocks;
        } catch (InvalidProblemException refused) {
            return false;
        }
    }

    @ParameterizedTest
    @CsvSource({"heat2d, PointJacobi", "heat2d-implicit, PointJacobi", "obstacle3d, Relaxation", "poisson3d, Relaxation"
    })
    void scaleAndFloorAreThoseOfTheRelaxation(String problem, String relaxation) throws InvalidProblemException {
        Model model = open(problem, Map.of("points", 15));
        Model relaxed = open(problem, Map.of("points", 15, "method", relaxation));
        assertEquals(relaxed.scale(), model.scale());
        assertEquals(relaxed.attainableFloor(), model.attainableFloor());
        assertEquals(relaxed.timeStepping(), model.timeStepping());
        assertEquals(relaxed.unknowns(), model.unknowns());
    }

    private static Model open(String name, Map<String, Object> parameters) throws InvalidProblemException {
        Problem problem = ServiceLoader.load(Problem.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(found -> found.name().equals(name))
                .findFirst()
                .orElseThrow();
        return problem.open(ParameterValues.of(problem.parameters(), new HashMap<>(parameters)), Inputs.none());
    }
}
