// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.check;

import dev.volary.mesh.job.ContainerHeap;
import dev.volary.mesh.job.DaemonHeap;
import dev.volary.solver.Subdomain;
import java.util.List;
import java.util.Optional;

/**
 * Checks whether the blocks of a job fit into the daemons of a cluster, as its leader will distribute them: consecutive blocks to
 * each daemon, up to the part of its heap that is for blocks.
 *
 * @param parts blocks of the job, at least one
 * @param heap of each daemon
 */
record BlockFit(List<Subdomain> parts, DaemonHeap heap) {

    /**
     * What is wrong with the memory of the daemons.
     *
     * @param limitBytes memory limit of a daemon's container
     * @return a sentence with its remedy, without the field; empty if the blocks fit
     */
    Optional<String> refusal(long limitBytes) {
        if (fits(limitBytes)) {
            return Optional.empty();
        }
        long all = parts.stream().mapToLong(Subdomain::bytes).sum();
        return Optional.of(
                ("leaves a daemon a heap of %d MiB, but %d blocks on %d daemons need %d MiB, the largest %d MiB, and"
                                + " each daemon %d MiB beside them for copies; set resources.limits.memory of its container"
                                + " \"worker\" to %dMi or more, or raise spec.daemons.replicas and spec.blocks")
                        .formatted(
                                mebi(ContainerHeap.heapBytes(limitBytes)),
                                parts.size(),
                                heap.daemons(),
                                mebi(all),
                                mebi(largest()),
                                mebi(heap.besideBlocks()),
                                leastLimit()));
    }

    private boolean fits(long limitBytes) {
        long bytes = heap.blockBytes(ContainerHeap.heapBytes(limitBytes));
        int used = 1;
        long filled = 0;
        for (Subdomain part : parts) {
            if (part.bytes() > bytes) {
                return false;
            }
            if (filled + part.bytes() > bytes) {
                used++;
                filled = 0;
            }
            filled += part.bytes();
        }
        return used <= heap.daemons();
    }

    /** The least memory limit with which all blocks fit, in MiB. */
    private long leastLimit() {
        long low = 1;
        long high = 2;
        while (!fits(high << 20)) {
            low = high;
            high *= 2;
        }
        while (high - low > 1) {
            long middle = (low + high) / 2;
            if (fits(middle << 20)) {
                high = middle;
            } else {
                low = middle;
            }
        }
        return high;
    }

    private long largest() {
        return parts.stream().mapToLong(Subdomain::bytes).max().orElse(0);
    }

    private static long mebi(long bytes) {
        return Math.ceilDiv(bytes, 1L << 20);
    }
}
