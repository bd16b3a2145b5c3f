// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.result;

import dev.volary.protocol.message.SnapshotMessage.StoredPart;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/** Writes the vector that a job delivers. */
public interface ResultWriter {

    /**
     * Reads all parts of a snapshot, checks their checksums, and writes the result.
     *
     * @param attributes of the result, by name
     * @throws MissingPartException if a part cannot be read
     * @throws IOException naming what cannot be written and the cause; an earlier result is then still there
     */
    void assemble(long sid, List<StoredPart> parts, Map<String, Object> attributes) throws IOException;
}
