// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.snapshot;

import dev.volary.protocol.machine.SpawnerTurn;
import dev.volary.protocol.message.SnapshotMessage;
import dev.volary.protocol.message.TakeoverMessage;
import dev.volary.protocol.model.GroupTerm;
import dev.volary.protocol.model.PartialResidual;
import dev.volary.protocol.model.RecordedBlock;
import dev.volary.protocol.model.WorkerId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * One snapshot, as the leader collects it: asks the groups for their evaluated parts, then for the stored ones, and repeats
 * until they answer. Checks what a group cannot know alone: that it evaluated with what the other groups recorded, and that it
 * stored what it evaluated. Whether the vector is good enough is not decided here.
 */
final class OpenSnapshot {

    /** A group that has blocks; its owner answers for them. */
    record Group(GroupTerm term, WorkerId owner, List<Integer> blocks) {

        /** The groups of a plan that have blocks. */
        static List<Group> of(List<TakeoverMessage.GroupPlan> plan) {
            return plan.stream()
                    .filter(group -> !group.blocks().isEmpty())
                    .map(group -> new Group(group.term(), group.spawner().id(), group.blocks()))
                    .toList();
        }
    }

    /**
     * What all groups evaluated together.
     *
     * @param notFinite blocks whose residual is not a finite number
     * @param iterations how many the blocks had completed together when they were recorded
     * @param costNanos largest CPU time spent on a part
     */
    record Evaluation(PartialResidual residual, SortedSet<Integer> notFinite, long iterations, long costNanos) {}

    /** How far the storing of a snapshot is. */
    enum Storage {
        /** Not all parts are stored. */
        INCOMPLETE,
        /** All parts are stored as they were evaluated. */
        COMPLETE,
        /** A group has stored something else than it evaluated: this vector can never be delivered. */
        NOT_AS_EVALUATED
    }

    private final long sid;
    private final int step;
    private final List<Group> groups;
    private final long retry;
    private final long openedAt;
    private final TreeMap<GroupTerm, SnapshotMessage.SnapshotGroupPart> evaluated = new TreeMap<>();
    private final TreeMap<GroupTerm, List<SnapshotMessage.StoredPart>> stored = new TreeMap<>();
    private boolean storing;
    private int disagreements;
    private long repeatAt = Long.MAX_VALUE;

    /**
     * A snapshot that no group knows of yet.
     *
     * @param step that the blocks must be in, from 1; 0 for a stationary problem
     * @param retry after which groups that did not answer are asked again, in nanoseconds
     */
    OpenSnapshot(long sid, int step, List<Group> groups, long retry, long now) {
        this.sid = sid;
        this.step = step;
        this.groups = groups;
        this.retry = retry;
        this.openedAt = now;
    }

    long sid() {
        return sid;
    }

    /** The time when it was opened. */
    long openedAt() {
        return openedAt;
    }

    /** How many iterations a block had completed when it was recorded, on average; all groups have evaluated. */
    long iterations() {
        int blocks = groups.stream().mapToInt(group -> group.blocks().size()).sum();
        return evaluation().iterations() / Math.max(1, blocks);
    }

    /** Whether a group takes part under this term. */
    boolean has(GroupTerm term) {
        return group(term) != null;
    }

    /** Whether the parts are being stored. */
    boolean isStoring() {
        return storing;
    }

    /** Asks the groups that did not answer. */
    void ask(SpawnerTurn turn) {
        repeatLater(turn);
        for (Group group : groups) {
            if (!storing && !evaluated.containsKey(group.term())) {
                turn.send(group.owner(), new SnapshotMessage.RecordBlocks(step, sid));
            } else if (storing && !stored.containsKey(group.term())) {
                turn.send(group.owner(), new SnapshotMessage.SnapshotStore(sid));
            }
        }
    }

    private void repeatLater(SpawnerTurn turn) {
        repeatAt = turn.now() + retry;
        turn.wakeAt(repeatAt);
    }

    /** Repeats what was not answered. */
    void tick(SpawnerTurn turn) {
        if (turn.now() >= repeatAt) {
            ask(turn);
        }
        turn.wakeAt(repeatAt);
    }

    // ---- evaluated parts -------------------------------------------------------------------------------------------

    /** Takes a group's parts, with the edges inside it checked; returns whether those of all groups are there. */
    boolean evaluated(SnapshotMessage.SnapshotGroupPart part) {
        Group group = group(part.term());
        if (storing
                || part.sid() != sid
                || group == null
                || part.blocks() != group.blocks().size()) {
            return false;
        }
        evaluated.put(part.term(), part);
        return evaluated.size() == groups.size();
    }

    /** Checks the edges between groups; a group that used something else is asked to evaluate again. */
    boolean edgesAgree(SpawnerTurn turn) {
        EdgeCheck edges = new EdgeCheck(evaluated.values().stream()
                .flatMap(part -> part.boundary().stream())
                .toList());
        Set<Group> wrong = new LinkedHashSet<>();
        for (Group group : groups) {
            List<RecordedBlock> used = evaluatedBy(group).used();
            TreeMap<Integer, RecordedBlock> corrections = new TreeMap<>();
            edges.corrections(used).forEach(own -> corrections.put(own.block(), own));
            if (!corrections.isEmpty()) {
                turn.send(group.owner(), new SnapshotMessage.Reevaluate(sid, List.copyOf(corrections.values())));
            }
            if (!corrections.isEmpty() || !edges.covers(used)) {
                wrong.add(group);
            }
        }
        wrong.forEach(group -> evaluated.remove(group.term()));
        if (!wrong.isEmpty()) {
            disagreements++;
            repeatLater(turn);
        }
        return wrong.isEmpty();
    }

    /** Whether the groups have disagreed too often to agree ever. */
    boolean isHopeless() {
        return disagreements > GroupSnapshots.MOST_RECHECKS;
    }

    /** What all groups evaluated. */
    Evaluation evaluation() {
        PartialResidual residual = PartialResidual.ZERO;
        SortedSet<Integer> notFinite = new TreeSet<>();
        long iterations = 0;
        long cost = 0;
        for (Group group : groups) {
            SnapshotMessage.SnapshotGroupPart part = evaluatedBy(group);
            residual = residual.combine(part.residual());
            notFinite.addAll(part.broken());
            iterations += part.iterations();
            cost = Math.max(cost, part.costNanos());
        }
        return new Evaluation(residual, notFinite, iterations, cost);
    }

    // ---- stored parts ----------------------------------------------------------------------------------------------

    /** All groups have evaluated: they store their parts now. */
    void store(SpawnerTurn turn) {
        storing = true;
        ask(turn);
    }

    /** Takes what a group has stored. */
    Storage stored(SnapshotMessage.SnapshotGroupStored message) {
        Group group = group(message.term());
        SnapshotMessage.SnapshotGroupPart part = evaluated.get(message.term());
        if (!storing || message.sid() != sid || group == null || part == null) {
            return Storage.INCOMPLETE;
        }
        if (part.digest() != SnapshotDigest.ofStored(message.parts())) {
            return Storage.NOT_AS_EVALUATED;
        }
        TreeSet<Integer> blocks = new TreeSet<>();
        message.parts().forEach(durable -> blocks.add(durable.part().block()));
        blocks.retainAll(group.blocks());
        if (blocks.size() == group.blocks().size()) {
            stored.put(message.term(), message.parts());
        }
        return stored.size() == groups.size() ? Storage.COMPLETE : Storage.INCOMPLETE;
    }

    /** All stored parts, ascending by block. */
    List<SnapshotMessage.StoredPart> storedParts() {
        List<SnapshotMessage.StoredPart> all = new ArrayList<>();
        stored.values().forEach(all::addAll);
        all.sort(Comparator.comparingInt(durable -> durable.part().block()));
        return all;
    }

    int entries() {
        return evaluated.values().stream()
                        .mapToInt(p -> 1 + p.boundary().size() + p.used().size())
                        .sum()
                + stored.values().stream().mapToInt(List::size).sum();
    }

    private SnapshotMessage.SnapshotGroupPart evaluatedBy(Group group) {
        return Objects.requireNonNull(evaluated.get(group.term()));
    }

    private @Nullable Group group(GroupTerm term) {
        for (Group group : groups) {
            if (group.term().equals(term)) {
                return group;
            }
        }
        return null;
    }
}
