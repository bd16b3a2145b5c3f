// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.run;

import dev.volary.cli.chaos.ChaosPlan.Kind;
import java.nio.file.Path;
import java.util.Optional;

/** What befalls the processes of a run, as their parent sees it. */
sealed interface ProcessEvent {
    /** The worker it is about. */
    String worker();

    /** The perturbator has hit a worker. */
    record Struck(String worker, long pid, Kind manner) implements ProcessEvent {}

    /** A stopped worker goes on. */
    record Resumed(String worker) implements ProcessEvent {}

    /** A worker says why it cannot go on; its process is ended. */
    record Unable(String worker, String reason) implements ProcessEvent {}

    /**
     * A process has ended.
     *
     * @param status its exit status; 128 and more for a signal
     * @param isProvoked whether the perturbator did it
     * @param log the process's log
     */
    record Ended(String worker, long pid, int status, boolean isProvoked, Path log) implements ProcessEvent {
        /** Exit status of a worker that has no place in the job under its identity any more, and starts anew. */
        static final int DISMISSED = 75;

        /** Exit status of a JVM that ends itself with {@code -XX:+ExitOnOutOfMemoryError}. */
        private static final int OUT_OF_MEMORY = 3;

        /** Whether the worker ended itself because the job had dismissed it. */
        boolean isDismissed() {
            return status == DISMISSED;
        }

        /** Whether the worker's heap was too small for what it had to do. */
        boolean isOutOfMemory() {
            return status == OUT_OF_MEMORY;
        }
    }

    /**
     * A worker is up that was not there when the job began.
     *
     * @param instead the worker whose place it has taken; none for a standby
     */
    record Joined(String worker, String zone, Optional<String> instead) implements ProcessEvent {}
}
