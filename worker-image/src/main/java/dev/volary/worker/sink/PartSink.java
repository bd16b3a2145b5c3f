package dev.volary.worker.sink;

import java.io.IOException;

/** Where recorded parts become durable. */
public interface PartSink {

    /**
     * Stores one part; may block. When it returns, the part is durable.
     *
     * @param values the first {@code count} are stored
     * @return CRC-32C of the values as little-endian bytes
     * @throws IOException naming what could not be written and the remedy
     */
    int store(long sid, int block, double[] values, int count) throws IOException;
}
