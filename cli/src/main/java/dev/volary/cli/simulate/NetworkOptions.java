// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.simulate;

import dev.volary.cli.console.UsageException;
import dev.volary.simulator.scenario.NetworkModel;
import java.time.Duration;

/**
 * The meaning of {@code --faults} in the simulator: a local network with the requested faults.
 *
 * @param halos faults of halos
 * @param control faults of control messages, which are delayed but never lost
 */
record NetworkOptions(NetworkModel halos, NetworkModel control) {

    /**
     * Parses the option.
     *
     * @throws UsageException if it is malformed, or names a fault that the simulator does not support
     */
    static NetworkOptions parse(String text) throws UsageException {
        dev.volary.mesh.fault.NetworkFaults faults;
        try {
            faults = dev.volary.mesh.fault.NetworkFaults.parse(text);
        } catch (IllegalArgumentException wrong) {
            throw new UsageException("--faults: " + wrong.getMessage());
        }
        if (Double.isFinite(faults.bytesPerSecond()) || !faults.partitions().isEmpty()) {
            throw new UsageException("--faults is " + text + ", but the simulator does not support "
                    + (faults.partitions().isEmpty() ? "rate" : "partition")
                    + "; use delay, loss, duplicate and reorder");
        }
        Duration delay = NetworkModel.NONE.delay().plus(faults.delay()).minus(faults.jitter());
        Duration jitter = NetworkModel.NONE.jitter().plus(faults.jitter());
        return new NetworkOptions(
                new NetworkModel(delay, jitter, faults.loss(), faults.duplicate(), faults.reorder()),
                new NetworkModel(delay, jitter, 0, 0, 0));
    }
}
