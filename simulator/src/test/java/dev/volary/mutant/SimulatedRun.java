// SPDX-License-Identifier: Apache-2.0
package dev.volary.mutant;

import java.util.List;

/**
 * Runs a scenario of the simulator. {@link Mutant#load} makes an instance that sees the mutant; the class is public, with a
 * constructor without parameters, and in a package of the simulator.
 */
public interface SimulatedRun {

    /**
     * What a run came to.
     *
     * @param violations of invariants, in order; empty if none was found
     * @param refusals snapshots that refused a claim of convergence; 0 if the run has no snapshots
     * @param residual of the delivered vector; NaN if the run delivers none
     */
    record Observed(List<String> violations, int refusals, double residual) {
        public Observed {
            violations = List.copyOf(violations);
        }
    }

    /** Runs a scenario to its end. The same scenario and seed give the same run. */
    Observed run(String scenario, long seed);
}
