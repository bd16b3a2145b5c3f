// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.directory;

import dev.volary.protocol.machine.SpawnerTurn;
import dev.volary.protocol.message.BlockMessage;
import dev.volary.protocol.model.BlockAssignment;
import dev.volary.protocol.model.GroupTerm;
import dev.volary.protocol.model.JobGraph;
import dev.volary.protocol.model.WorkerId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Sends the entries of a group's directory to the workers that need them. Each daemon gets only the entries of its blocks'
 * neighbors, each other group's owner only the blocks next to its own, so that a large job sends no large directories. Each
 * receives an update only when its own entries have changed, and again until it acknowledges the version.
 */
final class DirectoryPublisher {
    private static final long PER_TERM = 1L << 32;

    private static final class Update {
        private List<BlockAssignment> entries = List.of();
        private long version;
        private long acknowledged;

        private boolean isAcknowledged() {
            return acknowledged >= version;
        }
    }

    private final JobGraph graph;
    private final BlockDirectory directory;
    private final TreeMap<WorkerId, Update> updates = new TreeMap<>();
    /** Of all receivers: a daemon that has left and comes back gets a version that it has not seen. Grows from term to term. */
    private long newestVersion;

    private Map<WorkerId, Set<Integer>> otherGroups = Map.of();

    /** A publisher without receivers. */
    DirectoryPublisher(JobGraph graph, BlockDirectory directory) {
        this.graph = graph;
        this.directory = directory;
    }

    /** The owners of other groups, with their blocks. */
    void setOtherGroups(Map<WorkerId, Set<Integer>> next) {
        updates.keySet().removeIf(receiver -> otherGroups.containsKey(receiver) && !next.containsKey(receiver));
        otherGroups = next;
    }

    /** A daemon is dead, and receives nothing more. */
    void remove(WorkerId daemon) {
        updates.remove(daemon);
    }

    /**
     * Sends each receiver its entries where they have changed.
     *
     * @param term of the group
     * @param blocks of the group
     * @param assigned entries of the group's daemons
     */
    void publish(
            GroupTerm term, List<Integer> blocks, Map<WorkerId, List<BlockAssignment>> assigned, SpawnerTurn turn) {
        long version = Math.max(newestVersion, (term.n() - 1) * PER_TERM) + 1;
        assigned.forEach((daemon, entries) -> {
            Set<Integer> own = new TreeSet<>();
            entries.forEach(entry -> own.add(entry.block()));
            Set<Integer> neighbors = new TreeSet<>();
            own.forEach(block -> neighbors.addAll(graph.partners(block)));
            neighbors.removeAll(own);
            offer(daemon, neighbors, version, turn);
        });
        otherGroups.forEach((owner, theirs) -> {
            Set<Integer> boundary = new TreeSet<>();
            for (int block : blocks) {
                if (graph.partners(block).stream().anyMatch(theirs::contains)) {
                    boundary.add(block);
                }
            }
            offer(owner, boundary, version, turn);
        });
    }

    private void offer(WorkerId receiver, Set<Integer> wanted, long version, SpawnerTurn turn) {
        List<BlockAssignment> entries = new ArrayList<>();
        wanted.forEach(block -> directory.find(block).ifPresent(entries::add));
        Update update = updates.computeIfAbsent(receiver, id -> new Update());
        if (!update.entries.equals(entries)) {
            update.entries = List.copyOf(entries);
            update.version = version;
            newestVersion = version;
            send(receiver, update, turn);
        }
    }

    private static void send(WorkerId receiver, Update update, SpawnerTurn turn) {
        turn.send(receiver, new BlockMessage.DirectoryUpdate(update.version, update.entries));
    }

    /** A receiver asks for its entries again. */
    void send(WorkerId receiver, SpawnerTurn turn) {
        Update update = updates.get(receiver);
        if (update != null) {
            send(receiver, update, turn);
        }
    }

    /** A receiver knows the entries of this version. */
    void acknowledged(WorkerId from, long version) {
        Update update = updates.get(from);
        if (update != null) {
            update.acknowledged = Math.max(update.acknowledged, Math.min(version, update.version));
        }
    }

    /** Whether all receivers have acknowledged what they were sent. */
    boolean isAcknowledged() {
        return updates.values().stream().allMatch(Update::isAcknowledged);
    }

    /** Sends again what is not acknowledged. */
    void repeat(SpawnerTurn turn) {
        updates.forEach((receiver, update) -> {
            if (!update.isAcknowledged()) {
                send(receiver, update, turn);
            }
        });
    }

    int entries() {
        return updates.values().stream().mapToInt(u -> u.entries.size()).sum();
    }
}
