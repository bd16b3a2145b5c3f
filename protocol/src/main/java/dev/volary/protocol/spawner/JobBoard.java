package dev.volary.protocol.spawner;

import dev.volary.protocol.Message;
import dev.volary.protocol.NodeId;
import java.util.Collection;
import java.util.List;
import java.util.TreeMap;

/** The newest progress of each group, as the lead sees it: who left a group is gone with the group's next word. */
final class JobBoard {
    private final TreeMap<NodeId, List<Message.DaemonReport>> groups = new TreeMap<>();

    void group(NodeId owner, List<Message.DaemonReport> reports) {
        groups.put(owner, reports);
    }

    /** A group's owner is gone. */
    void lost(NodeId owner) {
        groups.remove(owner);
    }

    List<Message.DaemonReport> all() {
        return groups.values().stream().flatMap(List::stream).toList();
    }

    /** The largest hint of all {@code blocks}; infinite while one is unknown, has not iterated or is in another step. */
    double largestHint(int blocks, int step) {
        Collection<Message.BlockProgress> newest = ProgressBoard.newest(all());
        return newest.size() < blocks || newest.stream().anyMatch(block -> block.step() != step)
                ? Double.POSITIVE_INFINITY
                : newest.stream().mapToDouble(Message.BlockProgress::hint).reduce(0, Math::max);
    }

    /** The step that all of a group's blocks have reached; 0 if it has none. */
    int step(NodeId owner) {
        return ProgressBoard.newest(groups.getOrDefault(owner, List.of())).stream()
                .mapToInt(Message.BlockProgress::step)
                .min()
                .orElse(0);
    }

    /** Whether all {@code blocks} have completed an iteration. */
    boolean allIterate(int blocks) {
        return ProgressBoard.newest(all()).stream()
                        .filter(block -> block.iteration() > 0)
                        .count()
                >= blocks;
    }

    int entries() {
        return all().stream().mapToInt(r -> 1 + r.blocks().size()).sum();
    }
}
