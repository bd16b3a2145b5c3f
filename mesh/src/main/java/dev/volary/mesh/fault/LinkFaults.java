// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.fault;

import java.util.SplittableRandom;

/**
 * What happens to the frames of one link: a function of the seed, the link and the number of the frame alone. Confined to one
 * thread.
 */
public final class LinkFaults {
    private final NetworkFaults faults;
    private final SplittableRandom random;
    private long lineFreeAt;
    private boolean used;

    /**
     * How a frame is delivered.
     *
     * @param lost it does not arrive; {@code delayNanos} then is when its loss would be known
     * @param copies how often it arrives
     * @param overtaken it arrives after the next frame of its link
     * @param delayNanos how much later it arrives
     */
    public record Delivery(boolean lost, int copies, boolean overtaken, long delayNanos) {}

    /** For the link between two blocks. */
    public LinkFaults(NetworkFaults faults, long seed, int from, int to) {
        this.faults = faults;
        this.random = new SplittableRandom(seed * 0x9E3779B97F4A7C15L + ((long) from << 32 ^ to));
    }

    /**
     * Decides how the next frame is delivered.
     *
     * @param bytes its length
     * @param nanos time at which it would arrive without faults
     */
    public Delivery next(long bytes, long nanos) {
        // Always four draws, so that the delivery of a frame does not depend on the deliveries of others.
        boolean lost = random.nextDouble() < faults.loss();
        boolean twice = random.nextDouble() < faults.duplicate();
        boolean overtaken = random.nextDouble() < faults.reorder();
        long jitter = Math.round((2 * random.nextDouble() - 1) * faults.jitter().toNanos());
        long start = used ? Math.max(nanos, lineFreeAt) : nanos;
        used = true;
        lineFreeAt = start + Math.round(bytes / faults.bytesPerSecond() * 1e9);
        long delay = lineFreeAt - nanos + faults.delay().toNanos() + jitter;
        return new Delivery(lost, lost ? 0 : twice ? 2 : 1, overtaken, delay);
    }
}
