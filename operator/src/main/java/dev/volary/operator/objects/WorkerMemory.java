// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.objects;

import dev.volary.mesh.job.ContainerHeap;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.Locale;

/** Says to a worker's JVM how large its heap may be. */
final class WorkerMemory {
    private WorkerMemory() {}

    /** What the JVM is told about its heap in a container with this limit. */
    static String javaOptions(Quantity limit) {
        double share = ContainerHeap.share(limit.getNumericalAmount().doubleValue());
        return String.format(Locale.ROOT, "-XX:MaxRAMPercentage=%.1f", 100 * share);
    }
}
