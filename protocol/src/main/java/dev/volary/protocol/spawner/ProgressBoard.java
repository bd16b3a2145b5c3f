package dev.volary.protocol.spawner;

import dev.volary.protocol.Message;
import dev.volary.protocol.NodeId;
import java.util.List;
import java.util.TreeMap;

/** The newest report of each daemon. */
final class ProgressBoard {
    private final TreeMap<NodeId, Message.DaemonReport> reports = new TreeMap<>();

    void report(Message.DaemonReport report) {
        reports.put(report.daemon(), report);
    }

    List<Message.DaemonReport> all() {
        return List.copyOf(reports.values());
    }

    /** The largest hint of all {@code blocks}; infinite while one is unknown or has not iterated. */
    double largestHint(int blocks) {
        int known = 0;
        double largest = 0;
        for (Message.DaemonReport report : reports.values()) {
            for (Message.BlockProgress block : report.blocks()) {
                known++;
                largest = Math.max(largest, block.hint());
            }
        }
        return known < blocks ? Double.POSITIVE_INFINITY : largest;
    }

    /** Whether all {@code blocks} have completed an iteration. */
    boolean allIterate(int blocks) {
        return reports.values().stream()
                        .flatMap(report -> report.blocks().stream())
                        .filter(block -> block.iteration() > 0)
                        .count()
                >= blocks;
    }

    int entries() {
        return reports.values().stream().mapToInt(r -> 1 + r.blocks().size()).sum();
    }
}
