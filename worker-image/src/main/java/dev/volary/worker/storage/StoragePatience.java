// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.storage;

import dev.volary.solver.InvalidProblemException;
import dev.volary.storage.StorageRefusedException;
import java.io.IOException;
import java.time.Duration;

/** Waits for an object store that a worker needs before it can start. */
public final class StoragePatience {
    /** Longer than most restarts of a store take; a worker that ends instead counts as a failure of the job. */
    private static final Duration LONGEST = Duration.ofMinutes(2);

    private static final Duration PAUSE = Duration.ofSeconds(5);

    private StoragePatience() {}

    /** What needs the store. */
    public interface Use<T> {
        T run() throws IOException, InvalidProblemException;
    }

    /**
     * Repeats what fails because a store cannot be reached now.
     *
     * @throws StorageRefusedException at once
     * @throws IOException the last failure, after two minutes
     */
    public static <T> T wait(Use<T> use) throws IOException, InvalidProblemException {
        long start = System.nanoTime();
        while (true) {
            try {
                return use.run();
            } catch (StorageRefusedException e) {
                throw e;
            } catch (IOException e) {
                if (System.nanoTime() - start > LONGEST.toNanos()) {
                    throw e;
                }
                System.err.println("this worker waits for storage: " + e.getMessage());
                pause();
            }
        }
    }

    private static void pause() throws IOException {
        try {
            Thread.sleep(PAUSE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while waiting for storage", e);
        }
    }
}
