// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.run;

import dev.volary.cli.check.ValidatedJob;
import dev.volary.solver.InvalidProblemException;
import dev.volary.solver.Parameter;
import java.nio.file.Path;
import java.util.Map;

/**
 * Heap that a worker needs, in bytes.
 *
 * @param blocks for blocks, halos, results and the problem's files
 * @param copies for copies of other workers' blocks, once the job runs for a while
 * @param moving of a round of backups, while it is sent and received
 */
record WorkerMemory(long blocks, long copies, long moving) {
    /** The store's own classes and buffers. */
    private static final long STORE_BYTES = 48L << 20;

    private static final int COPIES_MOVING = 3; // as a value, in a message and in a buffer

    /**
     * Of a worker of a job whose blocks have so many copies. With copies there is the store, and blocks: those kept for others,
     * the newest value of an own one, and those on their way. Of a few workers each keeps as much as any.
     */
    static WorkerMemory of(ValidatedJob checked, int copies, boolean isDaemon) {
        long own = isDaemon ? daemon(checked) : spawner(checked);
        if (copies == 0) {
            return new WorkerMemory(own, 0, 0);
        }
        long block = 2L
                * Double.BYTES
                * checked.model().unknowns().size()
                / checked.spec().daemons().replicas();
        long moving = COPIES_MOVING * block;
        return new WorkerMemory(own, STORE_BYTES + (2L * copies + 1) * block + moving, moving);
    }

    /** Twice its even share. */
    private static long daemon(ValidatedJob checked) {
        long bytes = checked.decomposition().parts().stream()
                .mapToLong(
                        part -> part.bytes() + 3L * Double.BYTES * part.core().size())
                .sum();
        return 2 * bytes / checked.spec().daemons().replicas() + inputs(checked);
    }

    /** Which puts the result together. */
    private static long spawner(ValidatedJob checked) {
        return 2L * Double.BYTES * checked.model().unknowns().size() + inputs(checked);
    }

    /** Every worker reads the problem's files; parsed, a text matrix takes more than its size, a compressed one far more. */
    private static long inputs(ValidatedJob checked) {
        Map<String, Object> given = checked.spec().problem().parameters();
        long bytes = 0;
        for (Parameter<?> parameter : checked.problem().parameters()) {
            if (parameter.kind() == Parameter.Kind.FILE && given.get(parameter.name()) instanceof String reference) {
                try {
                    Path file = checked.inputs().resolve(reference);
                    bytes += file.toFile().length() * (reference.endsWith(".gz") ? 40 : 4);
                } catch (InvalidProblemException goneSinceTheCheck) {
                    // The workers will say so.
                }
            }
        }
        return bytes;
    }
}
