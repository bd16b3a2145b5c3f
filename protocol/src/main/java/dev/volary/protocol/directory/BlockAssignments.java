// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.directory;

import dev.volary.protocol.machine.SpawnerTurn;
import dev.volary.protocol.machine.WorkerAction;
import dev.volary.protocol.message.BlockMessage;
import dev.volary.protocol.message.ProgressMessage;
import dev.volary.protocol.message.TakeoverMessage;
import dev.volary.protocol.model.BackupVersion;
import dev.volary.protocol.model.BlockAssignment;
import dev.volary.protocol.model.GroupTerm;
import dev.volary.protocol.model.Incarnation;
import dev.volary.protocol.model.JobGraph;
import dev.volary.protocol.model.Member;
import dev.volary.protocol.model.WorkerId;
import dev.volary.protocol.placement.BlockDistribution;
import dev.volary.protocol.placement.BlockFailures;
import dev.volary.protocol.placement.BlockPlacement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * One group's assignments: which of its daemons serves which of its blocks. Sends each daemon its assignment until it reports
 * all of it; the {@link DirectoryPublisher} sends the entries to those who compute next to it.
 *
 * <p>A block that changes hands gets the next incarnation, so its former daemon is fenced.
 */
public final class BlockAssignments {
    private final JobGraph graph;
    private final long retry;
    private final BlockDirectory directory;
    private final AssignmentTable table = new AssignmentTable();
    private final DirectoryPublisher publisher;
    private final TreeMap<Integer, WorkerId> orphans = new TreeMap<>();
    private final TreeMap<Integer, BackupVersion> copies = new TreeMap<>();
    private GroupTerm term;
    private List<Integer> blocks;
    private int leastCounter = 1;
    /** The counter of the last restart; what is older goes on nowhere. */
    private int restartedAs;

    private long repeatAt;
    private long changes;

    /** A group without blocks. */
    public BlockAssignments(JobGraph graph, Duration retry, BlockDirectory directory, GroupTerm term) {
        this.graph = graph;
        this.retry = retry.toNanos();
        this.directory = directory;
        this.publisher = new DirectoryPublisher(graph, directory);
        this.term = term;
        this.blocks = List.of();
    }

    /**
     * Assigns the group's blocks for the first time and sends the assignments; all of them are parked if they do not fit.
     *
     * @param own the group's share of the plan
     * @param members the group's daemons
     */
    public void assignFirst(TakeoverMessage.GroupPlan own, List<Member> members, SpawnerTurn turn) {
        changes++;
        blocks = own.blocks();
        List<Member> computing = members.subList(0, Math.min(own.daemons(), members.size()));
        Optional<List<List<Integer>>> shares = BlockDistribution.of(graph, blocks, computing);
        if (shares.isEmpty()) {
            blocks.forEach(block -> orphans.put(block, own.spawner().id()));
        }
        leastCounter = Epochs.first(own.term().n());
        Incarnation first = new Incarnation(term, leastCounter);
        for (int d = 0; d < computing.size(); d++) {
            int index = d;
            Member daemon = computing.get(d);
            List<BlockAssignment> entries = shares.map(s -> s.get(index)).orElse(List.of()).stream()
                    .map(block -> new BlockAssignment(block, first, daemon))
                    .toList();
            entries.forEach(directory::merge);
            if (!entries.isEmpty()) {
                table.assign(daemon.id(), entries);
                sendAssignment(daemon.id(), turn);
            }
        }
        repeatAt = turn.now() + retry;
        publish(turn);
    }

    /**
     * The group gets more blocks, and a new term; what is computed goes on as it is.
     *
     * @param entries the newest known of them
     * @param serving the group's daemons
     * @return blocks whose daemon is unknown here
     */
    public List<Integer> take(
            GroupTerm newTerm,
            Collection<Integer> more,
            List<BlockAssignment> entries,
            Predicate<WorkerId> serving,
            SpawnerTurn turn) {
        changes++;
        term = newTerm;
        TreeSet<Integer> all = new TreeSet<>(blocks);
        all.addAll(more);
        blocks = List.copyOf(all);
        entries.forEach(directory::merge);
        List<Integer> unknown = new ArrayList<>();
        for (int block : more) {
            Optional<BlockAssignment> newest = directory.find(block);
            // Until the block is reassigned, this daemon is asked for its parts of snapshots.
            newest.ifPresent(known -> turn.add(new WorkerAction.AddPeer(known.daemon())));
            Optional<BlockAssignment> entry =
                    newest.filter(known -> serving.test(known.daemon().id()));
            if (entry.isPresent()) {
                table.add(entry.get());
            } else {
                unknown.add(block);
                table.removeIf(known -> known.block() == block);
            }
        }
        publish(turn);
        return unknown;
    }

    /** Other spawners own these blocks now. */
    public void cede(Collection<Integer> lost, SpawnerTurn turn) {
        changes++;
        TreeSet<Integer> left = new TreeSet<>(blocks);
        left.removeAll(lost);
        blocks = List.copyOf(left);
        orphans.keySet().removeAll(lost);
        copies.keySet().removeAll(lost);
        table.removeIf(entry -> lost.contains(entry.block()));
        publish(turn);
    }

    /** The owners of the other blocks. */
    public void updateOtherGroups(List<TakeoverMessage.GroupPlan> groups, WorkerId self, SpawnerTurn turn) {
        TreeMap<WorkerId, Set<Integer>> next = new TreeMap<>();
        for (TakeoverMessage.GroupPlan group : groups) {
            if (!group.spawner().id().equals(self)) {
                turn.add(new WorkerAction.AddPeer(group.spawner()));
                next.computeIfAbsent(group.spawner().id(), id -> new TreeSet<>())
                        .addAll(group.blocks());
            }
        }
        publisher.setOtherGroups(next);
        publish(turn);
    }

    /** A block has no daemon. */
    public void park(int block, WorkerId before) {
        orphans.put(block, before);
    }

    /**
     * A daemon of the group computes a block: its incarnation is accepted if it is the newest, even if it was unknown here.
     */
    public void acceptComputed(Member daemon, ProgressMessage.BlockProgress block, SpawnerTurn turn) {
        Optional<BlockAssignment> known = directory.find(block.block());
        int order = known.map(entry -> block.incarnation().compareTo(entry.incarnation()))
                .orElse(1);
        if (order < 0) {
            turn.send(
                    daemon.id(),
                    new BlockMessage.StaleIncarnation(
                            block.block(), known.orElseThrow().incarnation()));
            return;
        }
        boolean serves = blocksOf(daemon.id()).contains(block.block());
        boolean released = daemon.id().equals(orphans.get(block.block()));
        boolean named = known.filter(e -> e.daemon().equals(daemon)).isPresent();
        boolean current = block.incarnation().counter() >= restartedAs;
        if (!serves && !released && current && (order > 0 || named)) {
            changes++;
            BlockAssignment entry = new BlockAssignment(block.block(), block.incarnation(), daemon);
            directory.merge(entry);
            table.removeIf(other -> other.block() == block.block());
            orphans.remove(block.block());
            table.add(entry);
            publish(turn);
        }
    }

    private void sendAssignment(WorkerId daemon, SpawnerTurn turn) {
        List<BlockAssignment> entries = table.entriesOf(daemon);
        turn.send(daemon, new BlockMessage.Assign(term, entries, copiesOf(blocksOf(daemon))));
    }

    /** The newest entries of the group's blocks. */
    public List<BlockAssignment> entriesOf(Collection<Integer> of) {
        List<BlockAssignment> entries = new ArrayList<>();
        of.forEach(block -> directory.find(block).ifPresent(entries::add));
        return entries;
    }

    /** The newest backups of these blocks that the group knows of. */
    public List<BackupVersion> copiesOf(Collection<Integer> of) {
        return of.stream()
                .flatMap(block -> Stream.ofNullable(copies.get(block)))
                .toList();
    }

    /** Another owner knew of these backups of blocks that are the group's now. */
    public void recordBackups(List<BackupVersion> others) {
        others.stream()
                .filter(copy -> blocks.contains(copy.block()))
                .forEach(copy -> copies.merge(copy.block(), copy, BackupVersion::orNewer));
    }

    /** Grows with each change of what {@link #entriesOf} the blocks are. */
    public long version() {
        return changes;
    }

    /** The group's blocks, ascending. */
    public List<Integer> blocks() {
        return blocks;
    }

    /** The group's term. */
    public GroupTerm term() {
        return term;
    }

    /** Blocks that wait for a daemon, ascending. */
    public List<Integer> parked() {
        return List.copyOf(orphans.keySet());
    }

    /** The blocks of a daemon, ascending. */
    public List<Integer> blocksOf(WorkerId daemon) {
        return table.blocksOf(daemon);
    }

    /** Whether a daemon has reported that it serves its assignment. */
    public boolean hasAccepted(WorkerId daemon) {
        return table.hasAccepted(daemon);
    }

    /** Takes all blocks from a daemon that is dead; they are parked until {@link #place} finds another. */
    public List<Integer> release(WorkerId daemon) {
        List<Integer> theirs = blocksOf(daemon);
        changes += theirs.size();
        theirs.forEach(block -> orphans.put(block, daemon));
        table.remove(daemon);
        publisher.remove(daemon);
        return theirs;
    }

    /** Takes some blocks from a daemon that goes on. */
    public void release(WorkerId daemon, Set<Integer> some) {
        changes++;
        table.blocksOf(daemon).stream().filter(some::contains).forEach(block -> orphans.put(block, daemon));
        table.removeIf(daemon, entry -> some.contains(entry.block()));
    }

    /**
     * Assigns the parked blocks to daemons that have room, under the next incarnation; the others go on waiting.
     *
     * @param members daemons that may get blocks
     * @param isCold whether one of them without blocks could not fetch copies yet
     * @param attempts daemons that a block failed on do not get it again
     * @return the blocks assigned, by daemon
     */
    public Map<Member, List<Integer>> place(
            List<Member> members, Predicate<WorkerId> isCold, BlockFailures attempts, SpawnerTurn turn) {
        BlockPlacement placement = new BlockPlacement(graph, members, table.blocksByDaemon(), isCold);
        Map<Member, List<Integer>> given = new LinkedHashMap<>();
        Map<WorkerId, Set<BlockAssignment>> taken = new TreeMap<>();
        for (Map.Entry<Integer, WorkerId> orphan : new TreeMap<>(orphans).entrySet()) {
            int block = orphan.getKey();
            placement
                    .place(block, orphan.getValue(), attempts.failedDaemons(block))
                    .ifPresent(daemon -> given.computeIfAbsent(daemon, d -> new ArrayList<>())
                            .add(block));
        }
        given.forEach((daemon, theirs) -> {
            List<BlockAssignment> entries = new ArrayList<>();
            for (int block : theirs) {
                boolean served = directory.find(block).isPresent();
                BlockAssignment entry = new BlockAssignment(block, next(block), daemon);
                directory.merge(entry);
                entries.add(entry);
                WorkerId before = orphans.remove(block);
                if (before != null && served) {
                    taken.computeIfAbsent(before, id -> new LinkedHashSet<>()).add(entry);
                }
            }
            table.assign(daemon.id(), entries);
            sendAssignment(daemon.id(), turn);
        });
        taken.forEach((before, entries) -> entries.forEach(
                entry -> turn.send(before, new BlockMessage.StaleIncarnation(entry.block(), entry.incarnation()))));
        if (!given.isEmpty()) {
            changes++;
            publish(turn);
        }
        return given;
    }

    /** Blocks of others that would fit into the memory of these daemons too. */
    public List<Integer> roomFor(List<Integer> others, List<Member> members) {
        BlockPlacement placement = new BlockPlacement(graph, members, table.blocksByDaemon(), id -> false);
        return others.stream()
                .filter(block -> placement.place(block, term.owner(), Set.of()).isPresent())
                .toList();
    }

    private Incarnation next(int block) {
        int counter = directory
                .find(block)
                .map(BlockAssignment::incarnation)
                .filter(known -> known.term().equals(term))
                .map(Incarnation::counter)
                .orElse(0);
        return new Incarnation(term, Math.max(counter + 1, leastCounter));
    }

    /**
     * All blocks roll back, in the synchronous scheme: those that have a daemon stay there, the others are placed, all under
     * incarnations with this counter.
     *
     * @return the blocks that have another daemon now
     */
    public Map<Member, List<Integer>> restart(
            int counter, List<Member> members, BlockFailures attempts, SpawnerTurn turn) {
        leastCounter = counter;
        restartedAs = counter;
        table.renew(new Incarnation(term, counter));
        table.entriesByDaemon().values().forEach(entries -> entries.forEach(directory::merge));
        Map<Member, List<Integer>> given = place(members, id -> false, attempts, turn);
        Set<WorkerId> sent = given.keySet().stream().map(Member::id).collect(Collectors.toSet());
        table.entriesByDaemon().keySet().stream()
                .filter(daemon -> !sent.contains(daemon))
                .forEach(daemon -> sendAssignment(daemon, turn));
        publish(turn);
        return given;
    }

    /** A daemon did not find a block at its known address: it gets its entries again. */
    public void sendDirectory(WorkerId daemon, SpawnerTurn turn) {
        publisher.send(daemon, turn);
    }

    /** Entries of another group's owner. */
    public void mergeEntries(List<BlockAssignment> entries, SpawnerTurn turn) {
        boolean news = false;
        for (BlockAssignment entry : entries) {
            news |= directory.merge(entry);
        }
        if (news) {
            publish(turn);
        }
    }

    /** A receiver knows the entries of this version. */
    public void acknowledged(WorkerId from, long version) {
        publisher.acknowledged(from, version);
    }

    /** A daemon reports: its assignment is accepted if all of it is there, and its copies are known. */
    public void progress(ProgressMessage.DaemonReport report) {
        recordBackups(report.blocks().stream()
                .flatMap(block -> block
                        .backup()
                        .map(backup -> new BackupVersion(block.block(), block.incarnation(), backup.iteration()))
                        .stream())
                .toList());
        table.reported(report);
    }

    /** Repeats what is not answered. */
    public void tick(SpawnerTurn turn) {
        if (turn.now() >= repeatAt) {
            repeatAt = turn.now() + retry;
            table.entriesByDaemon().keySet().stream()
                    .filter(daemon -> !table.hasAccepted(daemon))
                    .forEach(daemon -> sendAssignment(daemon, turn));
            publisher.repeat(turn);
        }
        if (!table.isAccepted() || !publisher.isAcknowledged()) {
            turn.wakeAt(repeatAt);
        }
    }

    /** Entries held. */
    public int entries() {
        return directory.size() + table.entries() + orphans.size() + copies.size() + publisher.entries();
    }

    /** The group's entries have changed: who needs them receives them. */
    private void publish(SpawnerTurn turn) {
        publisher.publish(term, blocks, table.entriesByDaemon(), turn);
    }
}
