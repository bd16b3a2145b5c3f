// SPDX-License-Identifier: Apache-2.0
package dev.volary.simulator.watch;

import dev.volary.protocol.WorkerId;
import dev.volary.protocol.watch.FailureDetector;
import dev.volary.protocol.watch.FailureDetectorConfig;

/** How a simulation's members are made; tests plant bugs here and see them caught. */
class WatchWiring {

    FailureDetector watch(WorkerId self, FailureDetectorConfig config, long seed) {
        return new FailureDetector(self, config, seed);
    }
}
