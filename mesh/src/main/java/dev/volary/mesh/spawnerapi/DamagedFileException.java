// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.spawnerapi;

import java.io.IOException;

/** A file arrived with another size or checksum than its spawner states. It was removed. */
final class DamagedFileException extends IOException {
    private static final long serialVersionUID = 1;

    private final boolean resumed;

    /** @param resumed whether its first bytes were here from an earlier fetch */
    DamagedFileException(String message, boolean resumed) {
        super(message);
        this.resumed = resumed;
    }

    /** Whether its first bytes were here from an earlier fetch: they may be the damaged ones. */
    boolean isResumed() {
        return resumed;
    }
}
