// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.spawnerapi;

import java.util.concurrent.CompletableFuture;

/** A worker's answers to {@code volary.mesh.v1.Worker}; called on an event loop, return at once. */
public interface WorkerApi {
    /**
     * Ends the process without warning.
     *
     * @param answered completes when the answer has been sent; without it, the caller would believe that nothing was killed
     * @throws IllegalStateException where chaos is not allowed
     */
    CompletableFuture<Void> halt(CompletableFuture<Void> answered);

    /** As SIGTERM: hands over what it computes. */
    CompletableFuture<Void> leave();
}
