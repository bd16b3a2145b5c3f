// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.spawnerapi;

import java.nio.ByteBuffer;
import java.util.Optional;

/** The values of a part that arrives, as little-endian doubles in pieces. For one thread. */
public interface PartPieces {
    /**
     * Waits for the next piece. The sender may send another one once this is called again.
     *
     * @return empty after the last one
     * @throws IllegalStateException if the sender has gone, or sends nothing for a while; one that lives may repeat the part
     */
    Optional<ByteBuffer> next();
}
