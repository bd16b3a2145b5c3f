// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.membership;

import dev.volary.protocol.config.FailureDetectorConfig;
import dev.volary.protocol.machine.Turn;
import dev.volary.protocol.model.WorkerId;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The default: each member is monitored by several ring successors in other zones, and a suspicion is confirmed by others first. */
final class RingWithConfirmation extends MonitoringStrategy {
    RingWithConfirmation(FailureDetectorConfig config) {
        super(config);
    }

    @Override
    List<WorkerId> watchers(MembershipView group) {
        return watchersOf(group.self, group.ring());
    }

    @Override
    List<WorkerId> insurers(MembershipView group) {
        return group.ring().successors(group.self, FailureDetectorConfig.INSURED);
    }

    @Override
    Map<WorkerId, Long> duties(MembershipView group) {
        Map<WorkerId, Long> duties = new TreeMap<>();
        for (WorkerId id : group.ring().predecessors(group.self, FailureDetectorConfig.INSURED)) {
            boolean isWatched = watchersOf(id, group.ring()).contains(group.self);
            duties.put(id, (isWatched ? config.heartbeat() : config.insurance()).toNanos());
        }
        return duties;
    }

    @Override
    List<WorkerId> watchersOf(WorkerId member, HeartbeatRing ring) {
        return ring.watchersOf(member, config.watchers());
    }

    @Override
    boolean releasesAfterNextMessage() {
        return true;
    }

    @Override
    boolean acknowledgedTrafficReplacesHeartbeat() {
        return true;
    }

    @Override
    boolean usesConnectionResets() {
        return true;
    }

    @Override
    boolean usesPlatformHints() {
        return true;
    }

    @Override
    boolean compensatesOwnPauses() {
        return true;
    }

    @Override
    long allowanceNanos(long delayNanos) {
        return config.allowanceNanos(delayNanos);
    }

    @Override
    long suspectNanos(long interval) {
        return Math.max(0, interval - config.heartbeat().toNanos())
                + config.timeout().toNanos() / 2;
    }

    @Override
    boolean confirmsSuspicions() {
        return true;
    }

    @Override
    boolean isCertain(OpenSuspicion open, SuspicionTable suspicions, Turn turn) {
        return suspicions.isConfirmed(open, turn);
    }
}
