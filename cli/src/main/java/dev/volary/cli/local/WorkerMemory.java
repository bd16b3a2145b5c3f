// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.local;

import dev.volary.cli.check.ValidatedJob;
import dev.volary.solver.InvalidProblemException;
import dev.volary.solver.Parameter;
import java.nio.file.Path;
import java.util.Map;

/**
 * Heap that a worker needs, in bytes.
 *
 * @param blocks for blocks, halos, results and input files
 * @param backups for backups of other workers' blocks and the backup store
 */
record WorkerMemory(long blocks, long backups) {
    /** Classes and buffers of the backup store. */
    private static final long STORE_BYTES = 48L << 20;

    private static final int COPIES_IN_TRANSIT = 3; // as a value, in a message and in a buffer

    /**
     * The heap of a worker. With backups it contains the backup store, the backups that it holds for others, the newest state
     * of its own blocks, and backups in transit.
     *
     * @param copies number of backups of each block
     */
    static WorkerMemory of(ValidatedJob checked, int copies, boolean isDaemon) {
        long own = isDaemon ? daemon(checked) : spawner(checked);
        if (copies == 0) {
            return new WorkerMemory(own, 0);
        }
        long block = 2L
                * Double.BYTES
                * checked.model().unknowns().size()
                / checked.spec().daemons().replicas();
        return new WorkerMemory(own, STORE_BYTES + (2L * copies + 1 + COPIES_IN_TRANSIT) * block);
    }

    /** Twice an even share of all blocks. */
    private static long daemon(ValidatedJob checked) {
        long bytes = checked.decomposition().parts().stream()
                .mapToLong(
                        part -> part.bytes() + 3L * Double.BYTES * part.core().size())
                .sum();
        return 2 * bytes / checked.spec().daemons().replicas() + inputs(checked);
    }

    /** A spawner may assemble the result. */
    private static long spawner(ValidatedJob checked) {
        return 2L * Double.BYTES * checked.model().unknowns().size() + inputs(checked);
    }

    /**
     * Every worker reads the input files; a parsed matrix takes more memory than its text file, and far more than a compressed
     * one.
     */
    private static long inputs(ValidatedJob checked) {
        Map<String, Object> given = checked.spec().problem().parameters();
        long bytes = 0;
        for (Parameter<?> parameter : checked.problem().parameters()) {
            if (parameter.kind() == Parameter.Kind.FILE && given.get(parameter.name()) instanceof String reference) {
                try {
                    Path file = checked.inputs().resolve(reference);
                    bytes += file.toFile().length() * (reference.endsWith(".gz") ? 40 : 4);
                } catch (InvalidProblemException deletedSinceTheCheck) {
                    // the workers will report it
                }
            }
        }
        return bytes;
    }
}
