// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.frame;

import java.util.Optional;

/** What the values of a frame are. */
public enum FrameKind {
    /** The newest values of an edge. */
    HALO(1),
    /** Values of an edge recorded for a snapshot; eight bytes of content hash stand between header and values. */
    RECORDED(2);

    private final int code;

    FrameKind(int code) {
        this.code = code;
    }

    /** As written in the header. */
    public int code() {
        return code;
    }

    static Optional<FrameKind> of(int code) {
        return switch (code) {
            case 1 -> Optional.of(HALO);
            case 2 -> Optional.of(RECORDED);
            default -> Optional.empty();
        };
    }
}
