package dev.volary.cli.run;

import dev.volary.cli.check.CheckedJob;
import dev.volary.solver.InvalidProblem;
import dev.volary.solver.Parameter;
import java.nio.file.Path;
import java.util.Map;

/** Heap that workers of a job need for blocks, halos, results and the problem's files, in bytes. */
final class WorkerMemory {
    /** The store's own classes and buffers. */
    private static final long STORE_BYTES = 48L << 20;

    private WorkerMemory() {}

    /** Of a daemon: twice its even share. */
    static long daemon(CheckedJob checked) {
        long bytes = checked.decomposition().parts().stream()
                .mapToLong(
                        part -> part.bytes() + 3L * Double.BYTES * part.core().size())
                .sum();
        return 2 * bytes / checked.job().spec().daemons().replicas() + inputs(checked);
    }

    /** Of a spawner, which puts the result together. */
    static long spawner(CheckedJob checked) {
        return 2L * Double.BYTES * checked.model().unknowns().size() + inputs(checked);
    }

    /**
     * Of every worker, once the job runs for a while: the store, and blocks: the copies kept for others, the newest value of an
     * own block, and three on their way, as a value, in a message and in a buffer. Of a few workers each keeps as much as any.
     */
    static long copies(CheckedJob checked, int copies) {
        long block = 2L
                * Double.BYTES
                * checked.model().unknowns().size()
                / checked.job().spec().daemons().replicas();
        return copies == 0 ? 0 : STORE_BYTES + (2L * copies + 4) * block;
    }

    /** Every worker reads the problem's files; parsed, a text matrix takes more than its size, a compressed one far more. */
    private static long inputs(CheckedJob checked) {
        Map<String, Object> given = checked.job().spec().problem().parameters();
        long bytes = 0;
        for (Parameter<?> parameter : checked.problem().parameters()) {
            if (parameter.kind() == Parameter.Kind.FILE && given.get(parameter.name()) instanceof String reference) {
                try {
                    Path file = checked.inputs().resolve(reference);
                    bytes += file.toFile().length() * (reference.endsWith(".gz") ? 40 : 4);
                } catch (InvalidProblem goneSinceTheCheck) {
                    // The workers will say so.
                }
            }
        }
        return bytes;
    }
}
