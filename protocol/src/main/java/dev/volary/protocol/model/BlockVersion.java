// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.model;

import java.util.Comparator;

/**
 * Orders the data messages of one block: incarnation first, so that a restored block with a smaller iteration counter takes
 * effect at once.
 *
 * @param incarnation of the sending block
 * @param step time step, 0 for a stationary problem
 * @param iteration iterations completed by this incarnation
 */
public record BlockVersion(Incarnation incarnation, int step, long iteration) implements Comparable<BlockVersion> {
    private static final Comparator<BlockVersion> ORDER = Comparator.comparing(BlockVersion::incarnation)
            .thenComparingInt(BlockVersion::step)
            .thenComparingLong(BlockVersion::iteration);

    @Override
    public int compareTo(BlockVersion other) {
        return ORDER.compare(this, other);
    }
}
