// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.pod;

/** Why a worker was lost; a label of {@code volary_workers_lost_total}. */
public enum LossCause {
    /** A person deleted it, or the job needs fewer workers. */
    VOLUNTARY("voluntary"),
    /** The platform ended it: preemption, eviction, a lost node, a kill from outside. Does not count as a retry. */
    DISRUPTION("disruption"),
    /** The worker failed by itself. Counts as a retry. */
    FAILURE("failure");

    private final String label;

    LossCause(String label) {
        this.label = label;
    }

    /** Lower case, for labels. */
    public String label() {
        return label;
    }
}
