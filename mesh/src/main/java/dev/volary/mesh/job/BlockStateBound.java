// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.job;

/**
 * The state of a block against the longest backup. A backup is one array of bytes, of which Java allows no more than 2 GiB.
 *
 * @param block with the largest state
 * @param values of its core and of all its halos
 * @param blocks of the job
 */
public record BlockStateBound(int block, long values, int blocks) {
    /** Less than the longest array: a header, and what a solver saves beside the vector, are in it too. */
    static final long BYTES_MAX = Integer.MAX_VALUE - (16L << 20);

    /**
     * That of the block with the largest state.
     *
     * @param values of each block's core and halos
     */
    public static BlockStateBound largest(long[] values) {
        int largest = 0;
        for (int block = 1; block < values.length; block++) {
            largest = values[block] > values[largest] ? block : largest;
        }
        return new BlockStateBound(largest, values[largest], values.length);
    }

    /** Whether the state can be backed up. */
    public boolean isKept() {
        return bytes() <= BYTES_MAX;
    }

    /** What is wrong with a number of blocks that is too small, to follow the name of the field. */
    public String refusal() {
        return "is %d, but block %d then has a state of %d MiB, and a backup holds at most %d MiB"
                .formatted(blocks, block, bytes() >> 20, BYTES_MAX >> 20);
    }

    /** What to do then. */
    public String remedy() {
        return "raise it to %d or more, or set spec.checkpoint.copies: 0"
                .formatted(Math.ceilDiv(blocks * bytes(), BYTES_MAX));
    }

    private long bytes() {
        return values * Double.BYTES;
    }
}
