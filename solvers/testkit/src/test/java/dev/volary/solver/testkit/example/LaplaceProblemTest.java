// SPDX-License-Identifier: Apache-2.0
package dev.volary.solver.testkit.example;

import dev.volary.solver.Problem;
import dev.volary.solver.testkit.SolverContract;

final class LaplaceProblemTest extends SolverContract {
    @Override
    protected Problem problem() {
        return new LaplaceProblem();
    }
}
