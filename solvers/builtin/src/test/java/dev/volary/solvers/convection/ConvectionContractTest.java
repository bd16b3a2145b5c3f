// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.convection;

import dev.volary.solver.Problem;
import dev.volary.solver.testkit.SolverContract;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Nested;

final class ConvectionContractTest {

    abstract static class Convection extends SolverContract {
        private final Map<String, Object> parameters;

        Convection(Map<String, Object> parameters) {
            this.parameters = parameters;
        }

        @Override
        protected Problem problem() {
            return new ConvectionProblem();
        }

        @Override
        protected Map<String, Object> parameters() {
            return parameters;
        }
    }

    @Nested
    final class VortexOnASquare extends Convection {
        VortexOnASquare() {
            super(Map.of("points", 13, "flow", "Vortex", "diffusion", 0.02, "f", "Sines", "method", "PointJacobi"));
        }
    }

    @Nested
    final class DiagonalInACube extends Convection {
        DiagonalInACube() {
            super(Map.of("axes", 3, "points", 8, "diffusion", 0.02, "method", "PointJacobi"));
        }
    }

    /** Round blocks under a runtime that knows no rounds: they receive no maps. */
    @Nested
    final class VortexInACubeWithoutRounds extends Convection {
        VortexInACubeWithoutRounds() {
            super(Map.of("axes", 3, "points", 12, "flow", "Vortex", "method", "Multigrid", "levels", 2));
        }

        @Override
        protected List<Integer> blockCounts() {
            return List.of(1, 4);
        }
    }
}
