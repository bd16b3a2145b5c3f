// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.directory;

import dev.volary.protocol.message.ProgressMessage;
import dev.volary.protocol.model.BlockAssignment;
import dev.volary.protocol.model.Incarnation;
import dev.volary.protocol.model.WorkerId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * Which daemons of a group serve which blocks, and whether each has accepted that: it has once it reports all of its blocks under
 * the incarnations that it was assigned. Until then its assignment may be lost, and is sent again. Daemons without blocks are not
 * in the table.
 */
final class AssignmentTable {
    private final TreeMap<WorkerId, List<BlockAssignment>> assigned = new TreeMap<>();
    private final Set<WorkerId> accepted = new HashSet<>();

    /** The entries of each daemon, ascending by block. */
    SortedMap<WorkerId, List<BlockAssignment>> entriesByDaemon() {
        return Collections.unmodifiableSortedMap(assigned);
    }

    /** The entries of a daemon, ascending by block. */
    List<BlockAssignment> entriesOf(WorkerId daemon) {
        return assigned.getOrDefault(daemon, List.of());
    }

    /** The blocks of a daemon, ascending. */
    List<Integer> blocksOf(WorkerId daemon) {
        return entriesOf(daemon).stream().map(BlockAssignment::block).toList();
    }

    /** The blocks of each daemon, ascending. */
    Map<WorkerId, List<Integer>> blocksByDaemon() {
        Map<WorkerId, List<Integer>> blocks = new TreeMap<>();
        assigned.keySet().forEach(daemon -> blocks.put(daemon, blocksOf(daemon)));
        return blocks;
    }

    // ---- changes ---------------------------------------------------------------------------------------------------

    /** Assigns more blocks to a daemon, which has not accepted them yet. */
    void assign(WorkerId daemon, List<BlockAssignment> more) {
        List<BlockAssignment> entries = new ArrayList<>(entriesOf(daemon));
        entries.addAll(more);
        entries.sort(Comparator.comparingInt(BlockAssignment::block));
        assigned.put(daemon, List.copyOf(entries));
        accepted.remove(daemon);
    }

    /** A daemon computes this block already: its entry replaces an older one. */
    void add(BlockAssignment entry) {
        WorkerId daemon = entry.daemon().id();
        List<BlockAssignment> entries = new ArrayList<>(entriesOf(daemon));
        entries.removeIf(known -> known.block() == entry.block());
        entries.add(entry);
        entries.sort(Comparator.comparingInt(BlockAssignment::block));
        assigned.put(daemon, List.copyOf(entries));
    }

    /** Takes the blocks that this is true of from all daemons. */
    void removeIf(Predicate<BlockAssignment> which) {
        List.copyOf(assigned.keySet()).forEach(daemon -> removeIf(daemon, which));
    }

    /** Takes the blocks that this is true of from one daemon. */
    void removeIf(WorkerId daemon, Predicate<BlockAssignment> which) {
        List<BlockAssignment> rest =
                entriesOf(daemon).stream().filter(which.negate()).toList();
        if (rest.isEmpty()) {
            remove(daemon);
        } else {
            assigned.put(daemon, rest);
        }
    }

    /** Takes all blocks from a daemon. */
    void remove(WorkerId daemon) {
        assigned.remove(daemon);
        accepted.remove(daemon);
    }

    /** All blocks stay where they are, under another incarnation that is to be accepted. */
    void renew(Incarnation incarnation) {
        accepted.clear();
        assigned.replaceAll((daemon, entries) -> entries.stream()
                .map(entry -> new BlockAssignment(entry.block(), incarnation, entry.daemon()))
                .toList());
    }

    // ---- acceptance ------------------------------------------------------------------------------------------------

    /** A daemon reports what it computes: it has accepted its assignment if all of that is there. */
    void reported(ProgressMessage.DaemonReport report) {
        Map<Integer, Incarnation> there = new HashMap<>();
        report.blocks().forEach(block -> there.put(block.block(), block.incarnation()));
        List<BlockAssignment> entries = entriesOf(report.daemon());
        if (!entries.isEmpty()
                && entries.stream().allMatch(entry -> entry.incarnation().equals(there.get(entry.block())))) {
            accepted.add(report.daemon());
        }
    }

    /** Whether a daemon has accepted its assignment. */
    boolean hasAccepted(WorkerId daemon) {
        return accepted.contains(daemon);
    }

    /** Whether all daemons have accepted their assignments. */
    boolean isAccepted() {
        return accepted.size() == assigned.size();
    }

    int entries() {
        return assigned.values().stream().mapToInt(List::size).sum() + accepted.size();
    }
}
