// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.pagerank;

import dev.volary.solver.Inputs;
import dev.volary.solver.Problem;
import dev.volary.solver.testkit.SolverContract;
import dev.volary.solvers.linear.Matrices;
import java.util.Map;

/** The contract of every solver, on a graph with hubs and with pages that have no links. */
class PageRankContractTest extends SolverContract {

    @Override
    protected Problem problem() {
        return new PageRankProblem();
    }

    @Override
    protected Map<String, Object> parameters() {
        return Map.of("graph", "links.mtx.gz", "sweeps", 2);
    }

    @Override
    protected Inputs inputs() {
        return Matrices::example;
    }
}
