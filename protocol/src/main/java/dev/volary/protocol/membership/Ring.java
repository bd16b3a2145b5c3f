// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.membership;

import dev.volary.protocol.config.FailureDetectorConfig;
import dev.volary.protocol.machine.Turn;
import dev.volary.protocol.model.WorkerId;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The ring of JACEP2P-V2: each member is monitored by its successor, whose suspicion is a verdict. */
final class Ring extends MonitoringStrategy {
    Ring(FailureDetectorConfig config) {
        super(config);
    }

    @Override
    List<WorkerId> watchers(MembershipView group) {
        return group.ring().successors(group.self, 1);
    }

    @Override
    Map<WorkerId, Long> duties(MembershipView group) {
        Map<WorkerId, Long> duties = new TreeMap<>();
        group.ring()
                .predecessors(group.self, 1)
                .forEach(id -> duties.put(id, config.heartbeat().toNanos()));
        return duties;
    }

    @Override
    boolean isCertain(OpenSuspicion open, SuspicionTable suspicions, Turn turn) {
        return true;
    }
}
