// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.membership;

import dev.volary.protocol.config.FailureDetectorConfig;
import dev.volary.protocol.machine.Turn;
import dev.volary.protocol.model.WorkerId;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** JACEP2P version 1: all members send heartbeats to the owner, which no member monitors. For comparison only. */
final class Centralized extends MonitoringStrategy {
    Centralized(FailureDetectorConfig config) {
        super(config);
    }

    @Override
    List<WatchedMember> relevant(MemberList members, WorkerId self) {
        if (members.owner().equals(self)) {
            return members.members();
        }
        return members.members().stream()
                .filter(member -> member.id().equals(self) || member.id().equals(members.owner()))
                .toList();
    }

    @Override
    List<WorkerId> watchers(MembershipView group) {
        return group.owner()
                .filter(owner -> !owner.equals(group.self))
                .map(List::of)
                .orElse(List.of());
    }

    @Override
    Map<WorkerId, Long> duties(MembershipView group) {
        Map<WorkerId, Long> duties = new TreeMap<>();
        if (group.isOwner()) {
            group.others().forEach(id -> duties.put(id, config.heartbeat().toNanos()));
        }
        return duties;
    }

    @Override
    boolean isCertain(OpenSuspicion open, SuspicionTable suspicions, Turn turn) {
        return true;
    }
}
