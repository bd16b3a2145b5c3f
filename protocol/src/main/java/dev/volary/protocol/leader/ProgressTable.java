// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.leader;

import dev.volary.protocol.message.ProgressMessage;
import dev.volary.protocol.model.WorkerId;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The newest report of each daemon. */
public final class ProgressTable {
    private final TreeMap<WorkerId, ProgressMessage.DaemonReport> reports = new TreeMap<>();

    public void report(ProgressMessage.DaemonReport report) {
        reports.put(report.daemon(), report);
    }

    /** A daemon is dead or left. */
    public void lost(WorkerId daemon) {
        reports.remove(daemon);
    }

    /** The last report of a daemon on its blocks. */
    public List<ProgressMessage.BlockProgress> of(WorkerId daemon) {
        ProgressMessage.DaemonReport report = reports.get(daemon);
        return report == null ? List.of() : report.blocks();
    }

    public List<ProgressMessage.DaemonReport> all() {
        return List.copyOf(reports.values());
    }

    /** Of each block what its newest incarnation reports. */
    static Collection<ProgressMessage.BlockProgress> newest(List<ProgressMessage.DaemonReport> reports) {
        Map<Integer, ProgressMessage.BlockProgress> newest = new HashMap<>();
        for (ProgressMessage.DaemonReport report : reports) {
            for (ProgressMessage.BlockProgress block : report.blocks()) {
                newest.merge(block.block(), block, (a, b) -> a.incarnation().compareTo(b.incarnation()) >= 0 ? a : b);
            }
        }
        return newest.values();
    }

    public int entries() {
        return reports.values().stream().mapToInt(r -> 1 + r.blocks().size()).sum();
    }
}
