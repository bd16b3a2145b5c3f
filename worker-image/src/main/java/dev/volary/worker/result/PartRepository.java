// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.result;

import java.io.IOException;

/** Where recorded parts become durable, and where a step's parts are read again. */
public interface PartRepository {

    /**
     * Stores one part; may block. When it returns, the part is durable.
     *
     * @param values the first {@code count} are stored
     * @return CRC-32C of the values as little-endian bytes
     * @throws StoreTimeoutException if nothing took it in time
     * @throws IOException naming what could not be written and the remedy
     */
    int store(long sid, int block, double[] values, int count) throws IOException;

    /**
     * Reads a part back; may block.
     *
     * @param count number of doubles it must hold
     * @param checksum CRC-32C it must have
     * @throws IOException if it is missing, cannot be reached, has another length, or another checksum
     */
    double[] read(long sid, int block, int count, int checksum) throws IOException;
}
