// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.membership;

import dev.volary.protocol.config.FailureDetectorConfig;
import dev.volary.protocol.machine.Turn;
import dev.volary.protocol.model.WorkerId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Phoenix: each member is monitored by others drawn at random, every message counts, and a suspect may refute for a while. */
final class RandomMonitors extends MonitoringStrategy {
    private List<WorkerId> monitors = List.of();

    RandomMonitors(FailureDetectorConfig config) {
        super(config);
    }

    /** Random neighbors, kept while they are there. */
    @Override
    List<WorkerId> watchers(MembershipView group) {
        List<WorkerId> others = new ArrayList<>(insurers(group));
        List<WorkerId> chosen =
                new ArrayList<>(monitors.stream().filter(others::contains).toList());
        others.removeAll(chosen);
        while (chosen.size() < config.watchers() && !others.isEmpty()) {
            chosen.add(others.remove(group.random.nextInt(others.size())));
        }
        monitors = List.copyOf(chosen);
        return monitors;
    }

    @Override
    List<WorkerId> insurers(MembershipView group) {
        return group.ring().successors(group.self, FailureDetectorConfig.INSURED);
    }

    /** No member knows whose monitor it is, so it expects rare heartbeats of all; senders announce shorter intervals. */
    @Override
    Map<WorkerId, Long> duties(MembershipView group) {
        Map<WorkerId, Long> duties = new TreeMap<>();
        group.ring()
                .predecessors(group.self, FailureDetectorConfig.INSURED)
                .forEach(id -> duties.put(id, config.insurance().toNanos()));
        return duties;
    }

    @Override
    boolean sentTrafficReplacesHeartbeat() {
        return true;
    }

    @Override
    boolean usesConnectionResets() {
        return true;
    }

    @Override
    long suspectNanos(long interval) {
        return interval + config.timeout().toNanos();
    }

    @Override
    boolean isCertain(OpenSuspicion open, SuspicionTable suspicions, Turn turn) {
        suspicions.askAllOnce(open, turn);
        return turn.now() - open.openedAt >= config.broken().toNanos();
    }
}
