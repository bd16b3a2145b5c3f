// SPDX-License-Identifier: Apache-2.0
package dev.volary.backup.replica;

import java.util.Arrays;
import java.util.Optional;

/** What a copy holds. Codes continue those of the mesh's frames, whose header this is. */
public enum ReplicaKind {
    /** Values of a block, to one slot after the other. */
    DATA(3),
    /** A checkpoint that all blocks of a job take together, to all slots; one of the two that are kept. */
    EVEN_GENERATION(5),
    /** The other one. */
    ODD_GENERATION(6);

    private final int code;

    ReplicaKind(int code) {
        this.code = code;
    }

    /** Number of the kind in a header and on the wire. */
    public int code() {
        return code;
    }

    /** Whether a code is one of a kind. */
    static boolean isKnown(int code) {
        return find(code).isPresent();
    }

    /**
     * The kind of a code.
     *
     * @throws IllegalArgumentException if the code is not {@link #isKnown}
     */
    public static ReplicaKind of(int code) {
        return find(code).orElseThrow(() -> new IllegalArgumentException(code + " is no kind of a copy"));
    }

    private static Optional<ReplicaKind> find(int code) {
        return Arrays.stream(values()).filter(kind -> kind.code == code).findFirst();
    }

    /** Where a checkpoint of this generation's slot, 0 or 1, is kept. */
    static ReplicaKind generation(int slot) {
        return slot == 0 ? EVEN_GENERATION : ODD_GENERATION;
    }
}
