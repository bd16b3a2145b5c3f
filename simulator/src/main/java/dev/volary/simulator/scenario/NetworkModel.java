// SPDX-License-Identifier: Apache-2.0
package dev.volary.simulator.scenario;

import dev.volary.simulator.engine.EventQueue;
import java.time.Duration;
import java.util.SplittableRandom;

/**
 * What a network does to messages.
 *
 * @param delay shortest delay
 * @param jitter mean of the exponentially distributed rest of the delay
 * @param loss share of messages that vanish
 * @param duplication share of messages that arrive twice
 * @param straggle share of messages that take twenty times as long, so that others overtake them
 */
public record NetworkModel(Duration delay, Duration jitter, double loss, double duplication, double straggle) {

    /** 0.2 ms and a little jitter. */
    public static final NetworkModel NONE =
            new NetworkModel(Duration.ofNanos(200_000), Duration.ofNanos(50_000), 0, 0, 0);

    /** Plans the arrivals of one message. */
    public void carry(EventQueue queue, SplittableRandom random, Runnable arrival) {
        int copies = (random.nextDouble() < loss ? 0 : 1) + (random.nextDouble() < duplication ? 1 : 0);
        for (int copy = 0; copy < copies; copy++) {
            double wait = delay.toNanos() - jitter.toNanos() * Math.log(1 - random.nextDouble());
            queue.after((long) (random.nextDouble() < straggle ? 20 * wait : wait), arrival);
        }
    }
}
