// SPDX-License-Identifier: Apache-2.0
package dev.volary.simulator.membership;

import dev.volary.protocol.config.FailureDetectorConfig;
import dev.volary.protocol.membership.FailureDetector;
import dev.volary.protocol.model.WorkerId;

/** How a simulation's members are made; tests plant bugs here and see them caught. */
class WatchWiring {

    FailureDetector watch(WorkerId self, FailureDetectorConfig config, long seed) {
        return new FailureDetector(self, config, seed);
    }
}
