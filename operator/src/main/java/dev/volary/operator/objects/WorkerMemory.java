package dev.volary.operator.objects;

import io.fabric8.kubernetes.api.model.Quantity;
import java.math.BigDecimal;
import java.util.Locale;

/**
 * Divides a worker's memory. Of the container's limit an eighth is for direct buffers (the worker sees to that); code, classes,
 * stacks and the compiler need the same in every container; the heap gets the rest. A fixed share for the heap would kill small
 * containers and waste large ones.
 */
final class WorkerMemory {
    /** A daemon with C2, both meshes and the checkpoint store had 160 MiB beside a full heap after ten minutes. */
    private static final double NATIVE_BYTES = 160 * 1024 * 1024;

    private static final double DIRECT_SHARE = 1.0 / 8;
    private static final double LEAST_PERCENT = 25;
    private static final double MOST_PERCENT = 75;

    private WorkerMemory() {}

    /** What the JVM is told about its heap in a container with this limit. */
    static String javaOptions(Quantity limit) {
        BigDecimal bytes = limit.getNumericalAmount();
        double percent = 100 * (1 - DIRECT_SHARE - NATIVE_BYTES / Math.max(1, bytes.doubleValue()));
        return String.format(
                Locale.ROOT, "-XX:MaxRAMPercentage=%.1f", Math.min(MOST_PERCENT, Math.max(LEAST_PERCENT, percent)));
    }
}
