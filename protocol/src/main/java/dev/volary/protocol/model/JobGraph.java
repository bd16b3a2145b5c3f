// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.model;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * What the protocols need to know of a decomposition.
 *
 * @param blocks one entry for each block, by id
 * @param steps time steps that the blocks take; 0 for a stationary problem
 */
public record JobGraph(List<BlockShape> blocks, int steps) {
    /** At which arrays of a block are allocated and copied. */
    private static final double BYTES_A_SECOND = 2.0 * (1 << 30);

    /**
     * One block.
     *
     * @param sources blocks it reads from, ascending
     * @param readers blocks that read from it, ascending
     * @param bytes heap it needs
     * @param work cost of an iteration, in updates
     */
    public record BlockShape(List<Integer> sources, List<Integer> readers, long bytes, double work) {
        public BlockShape {
            sources = List.copyOf(sources);
            readers = List.copyOf(readers);
        }
    }

    public JobGraph {
        blocks = List.copyOf(blocks);
        if (steps < 0) {
            throw new IllegalArgumentException("steps is " + steps + ", must not be negative");
        }
    }

    /** Of a stationary problem. */
    public JobGraph(List<BlockShape> blocks) {
        this(blocks, 0);
    }

    /** Whether the problem has time steps. */
    public boolean hasTimeSteps() {
        return steps > 0;
    }

    /** These blocks and all that they read from. */
    public Set<Integer> withSources(Collection<Integer> of) {
        TreeSet<Integer> all = new TreeSet<>(of);
        of.forEach(block -> all.addAll(blocks.get(block).sources()));
        return all;
    }

    /** Blocks with an edge to or from {@code block}, ascending; in the synchronous scheme they iterate in lock-step. */
    public List<Integer> partners(int block) {
        BlockShape graph = blocks.get(block);
        TreeSet<Integer> partners = new TreeSet<>(graph.sources());
        partners.addAll(graph.readers());
        return List.copyOf(partners);
    }

    /**
     * How long a daemon may stand still while it allocates or copies the arrays of the largest block: no other thread of its process
     * runs then. Measured: 2.4 s with a block of 6 GB, on a machine short of memory.
     */
    public Duration longestPause() {
        long most = blocks.stream().mapToLong(BlockShape::bytes).max().orElse(0);
        return Duration.ofNanos((long) (1e9 * most / BYTES_A_SECOND));
    }
}
