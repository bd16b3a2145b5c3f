// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.simulate;

import dev.volary.cli.UsageException;
import dev.volary.simulator.NetworkModel;
import java.time.Duration;

/**
 * What {@code --faults} means in the simulator: the network of a machine room, and on top of it what was asked for.
 *
 * @param halos what happens to halos
 * @param control what happens to control messages: they are delayed, never lost
 */
record NetworkOptions(NetworkModel halos, NetworkModel control) {

    /**
     * Reads the option.
     *
     * @throws UsageException if it is malformed, or asks for what the simulator does not have
     */
    static NetworkOptions parse(String text) throws UsageException {
        dev.volary.mesh.fault.NetworkFaults asked;
        try {
            asked = dev.volary.mesh.fault.NetworkFaults.parse(text);
        } catch (IllegalArgumentException wrong) {
            throw new UsageException("--faults: " + wrong.getMessage());
        }
        if (Double.isFinite(asked.bytesPerSecond()) || !asked.partitions().isEmpty()) {
            throw new UsageException("--faults is " + text + ", but a simulated network knows no "
                    + (asked.partitions().isEmpty() ? "rate" : "partition")
                    + "; use delay, loss, duplicate and reorder");
        }
        Duration delay = NetworkModel.NONE.delay().plus(asked.delay()).minus(asked.jitter());
        Duration jitter = NetworkModel.NONE.jitter().plus(asked.jitter());
        return new NetworkOptions(
                new NetworkModel(delay, jitter, asked.loss(), asked.duplicate(), asked.reorder()),
                new NetworkModel(delay, jitter, 0, 0, 0));
    }
}
