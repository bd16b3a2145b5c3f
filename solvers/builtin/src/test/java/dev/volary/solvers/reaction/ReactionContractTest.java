// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.reaction;

import dev.volary.solver.Problem;
import dev.volary.solver.testkit.SolverContract;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Nested;

final class ReactionContractTest {

    @Nested
    final class TwoAxes extends SolverContract {
        @Override
        protected Problem problem() {
            return new ReactionProblem();
        }

        @Override
        protected Map<String, Object> parameters() {
            return Map.of("points", 9, "steps", 3, "stepLength", 600);
        }

        /** 9 blocks are single rows, 12 are cut on both axes. */
        @Override
        protected List<Integer> blockCounts() {
            return List.of(1, 2, 9, 12);
        }
    }

    @Nested
    final class ThreeAxes extends SolverContract {
        @Override
        protected Problem problem() {
            return new ReactionProblem();
        }

        @Override
        protected Map<String, Object> parameters() {
            return Map.of("axes", 3, "points", 5, "steps", 3, "restart", 4);
        }

        /** 18 blocks are cut on all axes, some of them into single layers. */
        @Override
        protected List<Integer> blockCounts() {
            return List.of(1, 3, 18);
        }
    }
}
