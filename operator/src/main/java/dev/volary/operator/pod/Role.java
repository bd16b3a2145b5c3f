// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.pod;

/** What a worker pod is there for. */
public enum Role {
    DAEMON("daemon", 'd'),
    SPAWNER("spawner", 's');

    private final String label;
    private final char letter;

    Role(String label, char letter) {
        this.label = label;
        this.letter = letter;
    }

    /** The value of the label {@code app.kubernetes.io/component}, and the role in the pod's identity. */
    public String label() {
        return label;
    }

    /** Stands in pod names and in the roster. */
    public char letter() {
        return letter;
    }
}
