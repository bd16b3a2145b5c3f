// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.obstacle;

import dev.volary.solver.Problem;
import dev.volary.solver.testkit.SolverContract;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Nested;

final class ObstacleContractTest {

    @Nested
    final class Membrane extends SolverContract {
        @Override
        protected Problem problem() {
            return new ObstacleProblem();
        }

        @Override
        protected Map<String, Object> parameters() {
            return Map.of("points", 9, "method", "Relaxation");
        }
    }

    @Nested
    final class Ball extends SolverContract {
        @Override
        protected Problem problem() {
            return new ObstacleProblem();
        }

        @Override
        protected Map<String, Object> parameters() {
            return Map.of("points", 10, "data", "Ball", "gamma", 0.15, "sweeps", 3);
        }

        /** 27 blocks are cut on all three axes. */
        @Override
        protected List<Integer> blockCounts() {
            return List.of(1, 4, 27);
        }
    }

    /** Round blocks under a runtime that knows no rounds: they receive no maps. */
    @Nested
    final class MultigridWithoutRounds extends SolverContract {
        @Override
        protected Problem problem() {
            return new ObstacleProblem();
        }

        @Override
        protected Map<String, Object> parameters() {
            return Map.of("points", 9, "method", "Multigrid");
        }
    }

    @Nested
    final class TwoLevelsOfTheBallWithoutRounds extends SolverContract {
        @Override
        protected Problem problem() {
            return new ObstacleProblem();
        }

        @Override
        protected Map<String, Object> parameters() {
            return Map.of("points", 12, "data", "Ball", "method", "Multigrid", "levels", 2);
        }

        @Override
        protected List<Integer> blockCounts() {
            return List.of(1, 4, 8);
        }
    }
}
