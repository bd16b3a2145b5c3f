// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.result;

import dev.volary.zarr.WriteFailure;
import java.io.IOException;

/** Explains to the user of a cluster why a spawner cannot write to its spool. */
public final class SpoolFull {
    private SpoolFull() {}

    /** The failure itself, or if the disk is full, one that names the field to change. */
    public static IOException explain(IOException failure) {
        return WriteFailure.isDiskFull(failure)
                ? new IOException(
                        "the disk of a spawner is full (" + failure.getMessage() + "); request more of it: set"
                                + " resources.requests.ephemeral-storage of the container \"worker\" in spec.spawners.template"
                                + " to three times the size of the result",
                        failure)
                : failure;
    }
}
