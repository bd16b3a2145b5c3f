// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.pod;

/** Why a worker was lost; the label of {@code volary_workers_lost_total}. */
public enum LossCause {
    /** Somebody deleted it, or the job needs fewer. */
    VOLUNTARY("voluntary"),
    /** The platform took it: preemption, eviction, a lost node, a kill from outside. Never uses up the retry budget. */
    DISRUPTION("disruption"),
    /** Its program failed. */
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
