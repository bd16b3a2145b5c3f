package dev.volary.protocol;

import java.util.List;
import java.util.TreeSet;

/**
 * What the protocols need to know of a decomposition.
 *
 * @param blocks one entry for each block, by id
 */
public record JobShape(List<BlockShape> blocks) {

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

    public JobShape {
        blocks = List.copyOf(blocks);
    }

    /** Blocks with an edge to or from {@code block}, ascending; in the synchronous scheme they iterate in lock-step. */
    public List<Integer> partners(int block) {
        BlockShape shape = blocks.get(block);
        TreeSet<Integer> partners = new TreeSet<>(shape.sources());
        partners.addAll(shape.readers());
        return List.copyOf(partners);
    }
}
