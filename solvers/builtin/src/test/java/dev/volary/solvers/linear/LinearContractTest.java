// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.linear;

import dev.volary.solver.Inputs;
import dev.volary.solver.Problem;
import dev.volary.solver.testkit.SolverContract;
import java.util.Map;
import org.junit.jupiter.api.Nested;

/** The contract of every solver, for each method on the airfoil, where asynchronous convergence is certified. */
class LinearContractTest {

    abstract static class Airfoil extends SolverContract {
        private final String method;
        private final int sweeps;

        Airfoil(String method, int sweeps) {
            this.method = method;
            this.sweeps = sweeps;
        }

        @Override
        protected Problem problem() {
            return new LinearSystemProblem();
        }

        @Override
        protected Map<String, Object> parameters() {
            return Map.of("matrix", "airfoil.mtx.gz", "rhsRule", "IndexOverN", "method", method, "sweeps", sweeps);
        }

        @Override
        protected Inputs inputs() {
            return Matrices::example;
        }
    }

    @Nested
    final class PointJacobi extends Airfoil {
        PointJacobi() {
            super("PointJacobi", 2);
        }
    }

    @Nested
    final class GaussSeidel extends Airfoil {
        GaussSeidel() {
            super("GaussSeidel", 2);
        }
    }

    @Nested
    final class Direct extends Airfoil {
        Direct() {
            super("Direct", 2);
        }
    }

    /** Blocks that receive no maps: overlapping patches alone. */
    @Nested
    final class SchwarzWithoutRounds extends Airfoil {
        SchwarzWithoutRounds() {
            super("Schwarz", 1);
        }
    }
}
