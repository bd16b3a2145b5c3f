// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.cluster;

import dev.volary.mesh.job.Download;
import dev.volary.zarr.ResultAttributes;
import dev.volary.zarr.ZarrGroup;
import java.io.IOException;
import java.nio.file.Path;

/**
 * A result on its way into a folder. It stands in {@code .fetching} there until it is whole, checked and durable, so that
 * {@code result.zarr} never is a mixture of two results, and an older one stays until then.
 */
record ResultDownload(Download download) {
    /**
     * Begins; what an interrupted fetch left behind is removed.
     *
     * @param target the folder that {@code result.zarr} shall be in
     */
    static ResultDownload in(Path target) throws IOException {
        try {
            return new ResultDownload(Download.to(target.resolve("result.zarr")));
        } catch (IOException e) {
            throw new IOException(
                    target + " cannot be written to (" + e.getMessage() + "); name another folder with --output", e);
        }
    }

    /** Forgets what has arrived so far. */
    void restart() throws IOException {
        download.restart();
    }

    /** Where files are put. */
    Path folder() {
        return download.folder();
    }

    /** Where the result is at the end. */
    Path result() {
        return download.target();
    }

    /**
     * All files have arrived: checks every chunk, and gives the result its name, in place of an older one. It is durable then.
     *
     * @return what it says about itself
     * @throws IOException if what has arrived is no result or is damaged, or an older result cannot be replaced
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

    /** Removes what is not accepted. */
    void discard() throws IOException {
        download.discard();
    }
}
