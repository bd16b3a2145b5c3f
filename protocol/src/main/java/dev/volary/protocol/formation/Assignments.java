package dev.volary.protocol.formation;

import dev.volary.protocol.Action;
import dev.volary.protocol.Actions;
import dev.volary.protocol.GroupTerm;
import dev.volary.protocol.Incarnation;
import dev.volary.protocol.JobShape;
import dev.volary.protocol.Member;
import dev.volary.protocol.Message;
import dev.volary.protocol.NodeId;
import dev.volary.protocol.RegisterEntry;
import dev.volary.protocol.rollback.Epochs;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * One group's register: which of its daemons serves which of its blocks, and who must know. Each daemon gets only the entries
 * of its blocks' neighbours, each other group's owner only the blocks that its own border on; each is told again only when
 * its own entries have changed.
 *
 * <p>A block that changes hands gets the next incarnation, so whoever served it before is fenced.
 */
public final class Assignments {
    private static final long PER_TERM = 1L << 32;

    private static final class Update {
        private List<RegisterEntry> entries = List.of();
        private long version;
        private long heard;

        /** Versions grow from term to term. */
        private Update(GroupTerm term) {
            version = (term.n() - 1) * PER_TERM;
            heard = version;
        }
    }

    private final JobShape shape;
    private final long retry;
    private final Register register;
    private final TreeMap<NodeId, List<RegisterEntry>> assigned = new TreeMap<>();
    private final Set<NodeId> accepted = new HashSet<>();
    private final TreeMap<NodeId, Update> updates = new TreeMap<>();
    private final TreeMap<NodeId, Set<Integer>> foreign = new TreeMap<>();
    private final TreeMap<Integer, NodeId> orphans = new TreeMap<>();
    private final GroupTerm term;
    private final List<Integer> blocks;
    private int leastCounter;
    private long repeatAt;

    private Assignments(JobShape shape, Duration retry, Register register, Message.GroupPlan own) {
        this.shape = shape;
        this.retry = retry.toNanos();
        this.register = register;
        this.term = own.term();
        this.blocks = own.blocks();
    }

    /**
     * Shares the group's blocks out and sends the assignments.
     *
     * @param register receives the group's entries
     * @param own the group's share of the plan
     * @param members the group's daemons
     * @return with all blocks parked if they do not fit
     */
    public static Assignments of(
            JobShape shape,
            Duration retry,
            Register register,
            Message.Plan plan,
            Message.GroupPlan own,
            List<Member> members,
            Actions out,
            long now) {
        List<Member> computing = members.subList(0, Math.min(own.daemons(), members.size()));
        Optional<List<List<Integer>>> shares = Sharing.of(shape, own.blocks(), computing);
        Assignments assignments = new Assignments(shape, retry, register, own);
        if (shares.isEmpty()) {
            own.blocks()
                    .forEach(block ->
                            assignments.orphans.put(block, own.spawner().id()));
        }
        assignments.leastCounter = Epochs.first(plan.leadTerm());
        Incarnation first = new Incarnation(own.term(), assignments.leastCounter);
        for (int d = 0; d < computing.size(); d++) {
            int index = d;
            Member daemon = computing.get(d);
            List<RegisterEntry> entries = shares.map(s -> s.get(index)).orElse(List.of()).stream()
                    .map(block -> new RegisterEntry(block, first, daemon))
                    .toList();
            entries.forEach(register::merge);
            if (!entries.isEmpty()) {
                assignments.assigned.put(daemon.id(), entries);
                out.send(daemon.id(), new Message.Assign(own.term(), entries));
            }
        }
        if (own.term().n() > 1) {
            // Whoever gets nothing now may still serve blocks of an earlier plan.
            members.stream()
                    .filter(daemon -> !assignments.assigned.containsKey(daemon.id()))
                    .forEach(daemon -> out.send(daemon.id(), new Message.Assign(own.term(), List.of())));
        }
        for (Message.GroupPlan group : plan.groups()) {
            if (!group.term().equals(own.term())) {
                out.add(new Action.Know(group.spawner()));
                assignments.foreign.put(group.spawner().id(), Set.copyOf(group.blocks()));
            }
        }
        assignments.repeatAt = now + assignments.retry;
        assignments.refresh(out);
        return assignments;
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
    public List<Integer> of(NodeId daemon) {
        return assigned.getOrDefault(daemon, List.of()).stream()
                .map(RegisterEntry::block)
                .toList();
    }

    /** Whether a daemon has said that it serves this assignment. */
    public boolean accepted(NodeId daemon) {
        return accepted.contains(daemon);
    }

    /** Takes all blocks from a daemon that is gone; they wait until {@link #place} finds another. */
    public List<Integer> release(NodeId daemon) {
        List<Integer> blocks = of(daemon);
        blocks.forEach(block -> orphans.put(block, daemon));
        assigned.remove(daemon);
        accepted.remove(daemon);
        updates.remove(daemon);
        return blocks;
    }

    /** Takes some blocks from a daemon that goes on. */
    public void release(NodeId daemon, Set<Integer> blocks) {
        List<RegisterEntry> entries = assigned.getOrDefault(daemon, List.of());
        entries.stream()
                .filter(entry -> blocks.contains(entry.block()))
                .forEach(entry -> orphans.put(entry.block(), daemon));
        List<RegisterEntry> rest = entries.stream()
                .filter(entry -> !blocks.contains(entry.block()))
                .toList();
        if (rest.isEmpty()) {
            assigned.remove(daemon);
            accepted.remove(daemon);
        } else {
            assigned.put(daemon, rest);
        }
    }

    /**
     * Gives the blocks that wait for a daemon to those that have room, under the next incarnation; the others go on waiting.
     *
     * @param members daemons that may get blocks
     * @param attempts daemons that a block failed on do not get it again
     * @return the blocks given, by daemon
     */
    public Map<Member, List<Integer>> place(List<Member> members, Attempts attempts, Actions out) {
        Map<NodeId, List<Integer>> load = new TreeMap<>();
        assigned.keySet().forEach(daemon -> load.put(daemon, of(daemon)));
        Placement placement = new Placement(shape, members, load);
        Map<Member, List<Integer>> given = new LinkedHashMap<>();
        Map<NodeId, Set<RegisterEntry>> taken = new TreeMap<>();
        for (Map.Entry<Integer, NodeId> orphan : new TreeMap<>(orphans).entrySet()) {
            int block = orphan.getKey();
            placement
                    .place(block, orphan.getValue(), attempts.on(block))
                    .ifPresent(daemon -> given.computeIfAbsent(daemon, d -> new ArrayList<>())
                            .add(block));
        }
        given.forEach((daemon, theirs) -> {
            List<RegisterEntry> entries = new ArrayList<>(assigned.getOrDefault(daemon.id(), List.of()));
            for (int block : theirs) {
                boolean served = register.find(block).isPresent();
                RegisterEntry entry = new RegisterEntry(block, next(block), daemon);
                register.merge(entry);
                entries.add(entry);
                NodeId before = orphans.remove(block);
                if (before != null && served) {
                    taken.computeIfAbsent(before, id -> new LinkedHashSet<>()).add(entry);
                }
            }
            entries.sort(Comparator.comparingInt(RegisterEntry::block));
            assigned.put(daemon.id(), List.copyOf(entries));
            accepted.remove(daemon.id());
            out.send(daemon.id(), new Message.Assign(term, assigned.get(daemon.id())));
        });
        taken.forEach((before, entries) ->
                entries.forEach(entry -> out.send(before, new Message.Fenced(entry.block(), entry.incarnation()))));
        if (!given.isEmpty()) {
            refresh(out);
        }
        return given;
    }

    private Incarnation next(int block) {
        int counter = register.find(block)
                .map(RegisterEntry::incarnation)
                .filter(known -> known.term().equals(term))
                .map(Incarnation::counter)
                .orElse(0);
        return new Incarnation(term, Math.max(counter + 1, leastCounter));
    }

    /**
     * All blocks begin again, in the synchronous scheme: those that have a daemon stay there, the others are placed, all under
     * incarnations with this counter.
     *
     * @return the blocks that have another daemon now
     */
    public Map<Member, List<Integer>> restart(int counter, List<Member> members, Attempts attempts, Actions out) {
        leastCounter = counter;
        accepted.clear();
        assigned.replaceAll((daemon, entries) -> entries.stream()
                .map(entry -> new RegisterEntry(entry.block(), new Incarnation(term, counter), entry.daemon()))
                .toList());
        assigned.values().forEach(entries -> entries.forEach(register::merge));
        Map<Member, List<Integer>> given = place(members, attempts, out);
        Set<NodeId> told = given.keySet().stream().map(Member::id).collect(Collectors.toSet());
        assigned.forEach((daemon, entries) -> {
            if (!told.contains(daemon)) {
                out.send(daemon, new Message.Assign(term, entries));
            }
        });
        refresh(out);
        return given;
    }

    /** A daemon met nobody where it looked: it hears its entries again. */
    public void request(NodeId daemon, Actions out) {
        Update update = updates.get(daemon);
        if (update != null) {
            out.send(daemon, new Message.RegisterUpdate(update.version, update.entries));
        }
    }

    /** Entries of another group's owner. */
    public void update(List<RegisterEntry> entries, Actions out) {
        boolean news = false;
        for (RegisterEntry entry : entries) {
            news |= register.merge(entry);
        }
        if (news) {
            refresh(out);
        }
    }

    /** A receiver knows the entries of this version. */
    public void heard(NodeId from, long version) {
        Update update = updates.get(from);
        if (update != null) {
            update.heard = Math.max(update.heard, Math.min(version, update.version));
        }
    }

    /** A daemon reports: its assignment is accepted if all of it is there. */
    public void progress(Message.DaemonReport report) {
        List<RegisterEntry> entries = assigned.get(report.daemon());
        if (entries != null) {
            Map<Integer, Incarnation> there = new HashMap<>();
            report.blocks().forEach(block -> there.put(block.block(), block.incarnation()));
            if (entries.stream().allMatch(entry -> entry.incarnation().equals(there.get(entry.block())))) {
                accepted.add(report.daemon());
            }
        }
    }

    /** Repeats what is not answered. */
    public void tick(Actions out, long now) {
        if (now >= repeatAt) {
            repeatAt = now + retry;
            assigned.forEach((daemon, entries) -> {
                if (!accepted.contains(daemon)) {
                    out.send(daemon, new Message.Assign(term, entries));
                }
            });
            updates.forEach((receiver, update) -> {
                if (update.heard < update.version) {
                    out.send(receiver, new Message.RegisterUpdate(update.version, update.entries));
                }
            });
        }
        if (accepted.size() < assigned.size() || updates.values().stream().anyMatch(u -> u.heard < u.version)) {
            out.wakeAt(repeatAt);
        }
    }

    /** Entries held. */
    public int entries() {
        return register.size()
                + assigned.values().stream().mapToInt(List::size).sum()
                + accepted.size()
                + orphans.size()
                + updates.values().stream().mapToInt(u -> u.entries.size()).sum();
    }

    /** Sends each receiver its entries where they have changed. */
    private void refresh(Actions out) {
        for (Map.Entry<NodeId, List<RegisterEntry>> daemon : assigned.entrySet()) {
            Set<Integer> own = new TreeSet<>();
            daemon.getValue().forEach(entry -> own.add(entry.block()));
            Set<Integer> wanted = new TreeSet<>();
            own.forEach(block -> wanted.addAll(shape.partners(block)));
            wanted.removeAll(own);
            offer(daemon.getKey(), wanted, out);
        }
        foreign.forEach((owner, theirs) -> {
            Set<Integer> border = new TreeSet<>();
            for (int block : blocks) {
                if (shape.partners(block).stream().anyMatch(theirs::contains)) {
                    border.add(block);
                }
            }
            offer(owner, border, out);
        });
    }

    private void offer(NodeId receiver, Set<Integer> wanted, Actions out) {
        List<RegisterEntry> entries = new ArrayList<>();
        wanted.forEach(block -> register.find(block).ifPresent(entries::add));
        Update update = updates.computeIfAbsent(receiver, id -> new Update(term));
        if (!update.entries.equals(entries)) {
            update.entries = List.copyOf(entries);
            update.version++;
            out.send(receiver, new Message.RegisterUpdate(update.version, update.entries));
        }
    }
}
