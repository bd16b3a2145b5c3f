// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.heat;

import dev.volary.solver.Problem;
import dev.volary.solver.testkit.SolverContract;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Nested;

final class ImplicitHeatContractTest {

    @Nested
    final class OneSweep extends SolverContract {
        @Override
        protected Problem problem() {
            return new ImplicitHeatProblem();
        }

        @Override
        protected Map<String, Object> parameters() {
            return Map.of(
                    "points", 21, "equilibrium", "Cubic", "diffusivity", 0.5, "steps", 4, "method", "PointJacobi");
        }

        /** 20 blocks are cut on both axes; a block of one row has no interior. */
        @Override
        protected List<Integer> blockCounts() {
            return List.of(1, 2, 5, 20, 21);
        }
    }

    @Nested
    final class SeveralSweeps extends SolverContract {
        @Override
        protected Problem problem() {
            return new ImplicitHeatProblem();
        }

        @Override
        protected Map<String, Object> parameters() {
            return Map.of("points", 24, "sweeps", 3);
        }

        @Override
        protected List<Integer> blockCounts() {
            return List.of(1, 3, 16);
        }
    }

    /** Round blocks under a runtime that knows no rounds: they receive no maps. */
    @Nested
    final class MultigridWithoutRounds extends SolverContract {
        @Override
        protected Problem problem() {
            return new ImplicitHeatProblem();
        }

        @Override
        protected Map<String, Object> parameters() {
            return Map.of("points", 21, "equilibrium", "Cubic", "diffusivity", 0.5, "steps", 4, "method", "Multigrid");
        }

        /** 16 blocks are cut on both axes. */
        @Override
        protected List<Integer> blockCounts() {
            return List.of(1, 2, 5, 16);
        }
    }

    @Nested
    final class TwoLevelsWithoutRounds extends SolverContract {
        @Override
        protected Problem problem() {
            return new ImplicitHeatProblem();
        }

        @Override
        protected Map<String, Object> parameters() {
            return Map.of("points", 24, "method", "Multigrid", "levels", 2);
        }

        @Override
        protected List<Integer> blockCounts() {
            return List.of(1, 4);
        }
    }
}
