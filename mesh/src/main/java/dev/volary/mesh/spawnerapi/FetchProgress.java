// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.spawnerapi;

/** Observes the files of a result as they arrive. */
public interface FetchProgress {
    /** For callers that do not observe. */
    FetchProgress NONE = (bytes, totalBytes) -> {};

    /**
     * Called while the files are listed, then with what an earlier fetch left behind, then after each piece.
     *
     * @param bytes that are here
     * @param totalBytes of the result; 0 while its files are listed
     */
    void at(long bytes, long totalBytes);
}
