// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.local;

import dev.volary.cli.chaos.ChaosPlan.Fault;
import java.nio.file.Path;
import java.util.Optional;

/** Events of the worker processes of a run, as their parent observes them. */
public sealed interface ProcessEvent {
    /** Name of the worker. */
    String worker();

    /** Fault injection ended or paused a worker. */
    record FaultInjected(String worker, long pid, Fault fault) implements ProcessEvent {}

    /** A paused worker continues. */
    record Continued(String worker) implements ProcessEvent {}

    /** A worker reported that it cannot continue; its process is ended. */
    record Unable(String worker, String reason) implements ProcessEvent {}

    /**
     * A process ended.
     *
     * @param status its exit status; 128 and more for a signal
     * @param isProvoked whether fault injection caused it
     * @param log log file of the process
     */
    record Ended(String worker, long pid, int status, boolean isProvoked, Path log) implements ProcessEvent {
        /** Exit status of a worker that was evicted from the job and is restarted with a new identity. */
        public static final int EVICTED = 75;

        /** Exit status of a JVM that ends itself with {@code -XX:+ExitOnOutOfMemoryError}. */
        private static final int OUT_OF_MEMORY = 3;

        /** Whether the worker ended itself because it was evicted from the job. */
        public boolean isEvicted() {
            return status == EVICTED;
        }

        /** Whether the heap of the worker was too small. */
        public boolean isOutOfMemory() {
            return status == OUT_OF_MEMORY;
        }
    }

    /**
     * A worker is ready that was not part of the job when it began.
     *
     * @param replaced the worker that it replaces; empty for a standby
     */
    record Joined(String worker, String zone, Optional<String> replaced) implements ProcessEvent {}
}
