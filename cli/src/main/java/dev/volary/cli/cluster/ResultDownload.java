// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.cluster;

import dev.volary.mesh.spawnerapi.Download;
import dev.volary.zarr.ResultAttributes;
import dev.volary.zarr.ZarrGroup;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Downloads a result into a folder. The files stay in {@code .fetching} until they are complete, checked and on disk, so that
 * {@code result.zarr} is never a mixture of two results and an older result is kept until then.
 */
record ResultDownload(Download download) {
    /**
     * Starts a download and removes what an interrupted one left behind.
     *
     * @param target folder for {@code result.zarr}
     */
    static ResultDownload in(Path target) throws IOException {
        try {
            return new ResultDownload(Download.to(target.resolve("result.zarr")));
        } catch (IOException e) {
            throw new IOException(
                    target + " cannot be written to (" + e.getMessage() + "); name another folder with --output", e);
        }
    }

    /** Discards what has arrived so far. */
    void restart() throws IOException {
        download.restart();
    }

    /** The folder for arriving files. */
    Path folder() {
        return download.folder();
    }

    /** The final path of the result. */
    Path result() {
        return download.target();
    }

    /**
     * Checks every chunk once all files have arrived, and moves the result to its final path, replacing an older one. It is on
     * disk afterwards.
     *
     * @return the certificate of the result
     * @throws IOException if the files are not a result or are damaged, or an older result cannot be replaced
     */
    ResultAttributes accept() throws IOException {
        ZarrGroup arrived = ZarrGroup.open(download.arrived());
        ResultAttributes attributes = ResultAttributes.of(arrived.attributes());
        for (String array : arrived.arrays()) {
            arrived.array(array).check();
        }
        try {
            download.accept();
        } catch (IOException e) {
            throw new IOException(
                    "%s cannot be replaced: %s; remove it, or name another folder with --output, and fetch again"
                            .formatted(result(), e.getMessage()),
                    e);
        }
        return attributes;
    }

    /** Removes files that were not accepted. */
    void discard() throws IOException {
        download.discard();
    }
}
