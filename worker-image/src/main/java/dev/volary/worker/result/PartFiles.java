// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.result;

import java.io.IOException;
import java.nio.channels.FileChannel;

/** Recorded parts as files that this process can read. */
public interface PartFiles {
    /**
     * Opens a part whose bytes were compared with its checksum; may block. The part is never whole in memory.
     *
     * @param count number of doubles it must hold
     * @param checksum CRC-32C it must have
     * @return its little-endian doubles, from the first one on; to be closed by the caller
     * @throws IOException if it is missing, cannot be reached, has another length, or another checksum
     */
    FileChannel open(long sid, int block, int count, int checksum) throws IOException;
}
