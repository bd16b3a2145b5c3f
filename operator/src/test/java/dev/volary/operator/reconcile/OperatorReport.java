// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.reconcile;

import java.util.List;

/**
 * What a simulated run of the operator came to.
 *
 * @param scenario name of the scenario
 * @param seed seed of the run
 * @param violations what must not happen, and did
 * @param requests requests of the operators
 * @param digest equal for equal runs
 */
record OperatorReport(String scenario, long seed, List<String> violations, int requests, long digest) {
    OperatorReport {
        violations = List.copyOf(violations);
    }

    @Override
    public String toString() {
        return "%s, seed %d: %d requests, digest %016x, %s"
                .formatted(
                        scenario,
                        seed,
                        requests,
                        digest,
                        violations.isEmpty()
                                ? "no violation"
                                : String.join("; ", violations) + "; again: bench/run operator-seeds --scenario "
                                        + scenario + " --seed " + seed);
    }
}
