// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.placement;

import dev.volary.protocol.model.JobGraph;
import dev.volary.protocol.model.Member;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * Distributes consecutive blocks to daemons in their order: within their memory, so that the largest work per core is least,
 * and so that each daemon has a block where there are enough.
 */
public final class BlockDistribution {
    private final JobGraph graph;
    private final List<Integer> blocks;
    private final List<Member> daemons;

    private BlockDistribution(JobGraph graph, List<Integer> blocks, List<Member> daemons) {
        this.graph = graph;
        this.blocks = blocks;
        this.daemons = daemons;
    }

    /**
     * @param blocks ascending
     * @return for each daemon its blocks, ascending; empty if they do not fit into the daemons' memory
     */
    public static Optional<List<List<Integer>>> of(JobGraph graph, List<Integer> blocks, List<Member> daemons) {
        if (blocks.isEmpty()) {
            return Optional.of(Collections.nCopies(daemons.size(), List.of()));
        }
        BlockDistribution sharing = new BlockDistribution(graph, blocks, daemons);
        boolean eachGetsOne = sharing.fill(Double.MAX_VALUE, true).isPresent();
        if (!eachGetsOne && sharing.fill(Double.MAX_VALUE, false).isEmpty()) {
            return Optional.empty();
        }
        double low = 0;
        double high = blocks.stream().mapToDouble(sharing::work).sum();
        for (int i = 0; i < 60; i++) {
            double middle = (low + high) / 2;
            if (sharing.fill(middle, eachGetsOne).isPresent()) {
                high = middle;
            } else {
                low = middle;
            }
        }
        return sharing.fill(high, eachGetsOne);
    }

    /** Says why blocks do not fit. */
    public static String reason(JobGraph graph, List<Integer> blocks, List<Member> daemons) {
        BlockDistribution sharing = new BlockDistribution(graph, blocks, daemons);
        long bytes = blocks.stream().mapToLong(sharing::bytes).sum();
        long largest = blocks.stream().mapToLong(sharing::bytes).max().orElse(0);
        long memory = daemons.stream().mapToLong(Member::memoryBytes).sum();
        long most = daemons.stream().mapToLong(Member::memoryBytes).max().orElse(0);
        return "%d blocks need %d MiB (the largest %d), but %d daemons have %d MiB for blocks (the largest %d)"
                        .formatted(blocks.size(), mebi(bytes), mebi(largest), daemons.size(), memory >> 20, most >> 20)
                + "; use more blocks, more daemons or more memory";
    }

    /** Fills one daemon after the other up to {@code limit} work per core. */
    private Optional<List<List<Integer>>> fill(double limit, boolean eachGetsOne) {
        List<List<Integer>> shares = new ArrayList<>();
        int next = 0;
        for (int d = 0; d < daemons.size(); d++) {
            Member daemon = daemons.get(d);
            List<Integer> share = new ArrayList<>();
            int left = eachGetsOne ? Math.max(0, daemons.size() - d - 1) : 0;
            long bytes = 0;
            double work = 0;
            while (next < blocks.size()
                    && (share.isEmpty() || blocks.size() - next > left)
                    && bytes + bytes(blocks.get(next)) <= daemon.memoryBytes()
                    && work + work(blocks.get(next)) <= limit * Math.max(1, daemon.cores())) {
                bytes += bytes(blocks.get(next));
                work += work(blocks.get(next));
                share.add(blocks.get(next));
                next++;
            }
            shares.add(List.copyOf(share));
        }
        return next == blocks.size() ? Optional.of(List.copyOf(shares)) : Optional.empty();
    }

    private static long mebi(long bytes) {
        return Math.ceilDiv(bytes, 1L << 20);
    }

    private long bytes(int block) {
        return graph.blocks().get(block).bytes();
    }

    private double work(int block) {
        return graph.blocks().get(block).work();
    }
}
