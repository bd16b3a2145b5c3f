// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.spawner;

import dev.volary.protocol.Message;
import dev.volary.protocol.WorkerId;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The newest report of each daemon. */
final class ProgressTable {
    private final TreeMap<WorkerId, Message.DaemonReport> reports = new TreeMap<>();

    void report(Message.DaemonReport report) {
        reports.put(report.daemon(), report);
    }

    /** A daemon is gone. */
    void lost(WorkerId daemon) {
        reports.remove(daemon);
    }

    /** What a daemon has said of its blocks. */
    List<Message.BlockProgress> of(WorkerId daemon) {
        Message.DaemonReport report = reports.get(daemon);
        return report == null ? List.of() : report.blocks();
    }

    List<Message.DaemonReport> all() {
        return List.copyOf(reports.values());
    }

    /** Of each block what its newest incarnation reports. */
    static Collection<Message.BlockProgress> newest(List<Message.DaemonReport> reports) {
        Map<Integer, Message.BlockProgress> newest = new HashMap<>();
        for (Message.DaemonReport report : reports) {
            for (Message.BlockProgress block : report.blocks()) {
                newest.merge(block.block(), block, (a, b) -> a.incarnation().compareTo(b.incarnation()) >= 0 ? a : b);
            }
        }
        return newest.values();
    }

    int entries() {
        return reports.values().stream().mapToInt(r -> 1 + r.blocks().size()).sum();
    }
}
