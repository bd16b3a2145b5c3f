package dev.volary.protocol;

import java.util.Comparator;

/**
 * Orders the data messages of one block: incarnation first, so that a restored block with a smaller iteration counter is
 * heard at once.
 *
 * @param incarnation of the sending block
 * @param step time step, 0 for a stationary problem
 * @param iteration iterations completed by this incarnation
 */
public record HaloKey(Incarnation incarnation, int step, long iteration) implements Comparable<HaloKey> {
    private static final Comparator<HaloKey> ORDER = Comparator.comparing(HaloKey::incarnation)
            .thenComparingInt(HaloKey::step)
            .thenComparingLong(HaloKey::iteration);

    @Override
    public int compareTo(HaloKey other) {
        return ORDER.compare(this, other);
    }
}
