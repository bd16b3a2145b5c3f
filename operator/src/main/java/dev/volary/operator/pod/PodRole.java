// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.pod;

/** PodRole of a worker pod. */
public enum PodRole {
    DAEMON("daemon", 'd'),
    SPAWNER("spawner", 's');

    private final String label;
    private final char letter;

    PodRole(String label, char letter) {
        this.label = label;
        this.letter = letter;
    }

    /** The value of the label {@code app.kubernetes.io/component}, and the role in the pod's identity. */
    public String label() {
        return label;
    }

    /** Abbreviation in pod names and tracked pods. */
    public char letter() {
        return letter;
    }
}
