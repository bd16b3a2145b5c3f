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

        Airfoil(String method) {
            this.method = method;
        }

        @Override
        protected Problem problem() {
            return new LinearSystemProblem();
        }

        @Override
        protected Map<String, Object> parameters() {
            return Map.of("matrix", "airfoil.mtx.gz", "rhsRule", "IndexOverN", "method", method, "sweeps", 2);
        }

        @Override
        protected Inputs inputs() {
            return Matrices::example;
        }
    }

    @Nested
    final class PointJacobi extends Airfoil {
        PointJacobi() {
            super("PointJacobi");
        }
    }

    @Nested
    final class GaussSeidel extends Airfoil {
        GaussSeidel() {
            super("GaussSeidel");
        }
    }

    @Nested
    final class Direct extends Airfoil {
        Direct() {
            super("Direct");
        }
    }
}
