package dev.volary.protocol.formation;

import dev.volary.protocol.Actions;
import dev.volary.protocol.GroupTerm;
import dev.volary.protocol.Incarnation;
import dev.volary.protocol.JobShape;
import dev.volary.protocol.Member;
import dev.volary.protocol.Message;
import dev.volary.protocol.NodeId;
import dev.volary.protocol.RegisterEntry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * One group's register: which of its daemons serves which of its blocks, and who must know. Each daemon gets only the entries
 * of its blocks' neighbours, each other group's owner only the blocks that its own border on.
 */
public final class Assignments {
    private static final class Update {
        private List<RegisterEntry> entries = List.of();
        private long version;
        private long heard;
    }

    private final JobShape shape;
    private final long retry;
    private final Register register;
    private final TreeMap<NodeId, List<RegisterEntry>> assigned = new TreeMap<>();
    private final Set<NodeId> accepted = new HashSet<>();
    private final TreeMap<NodeId, Update> updates = new TreeMap<>();
    private final TreeMap<NodeId, Set<Integer>> foreign = new TreeMap<>();
    private final GroupTerm term;
    private final List<Integer> blocks;
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
     * @return empty if the blocks do not fit
     */
    public static Optional<Assignments> of(
            JobShape shape,
            Duration retry,
            Register register,
            Message.Plan plan,
            Message.GroupPlan own,
            List<Member> members,
            Actions out,
            long now) {
        Optional<List<List<Integer>>> shares = Sharing.of(shape, own.blocks(), members);
        if (shares.isEmpty()) {
            return Optional.empty();
        }
        Assignments assignments = new Assignments(shape, retry, register, own);
        Incarnation first = new Incarnation(own.term(), 1);
        for (int d = 0; d < members.size(); d++) {
            Member daemon = members.get(d);
            List<RegisterEntry> entries = shares.get().get(d).stream()
                    .map(block -> new RegisterEntry(block, first, daemon))
                    .toList();
            entries.forEach(register::merge);
            if (!entries.isEmpty()) {
                assignments.assigned.put(daemon.id(), entries);
                out.send(daemon.id(), new Message.Assign(own.term(), entries));
            }
        }
        for (Message.GroupPlan group : plan.groups()) {
            if (!group.term().equals(own.term())) {
                assignments.foreign.put(group.spawner().id(), Set.copyOf(group.blocks()));
            }
        }
        assignments.repeatAt = now + assignments.retry;
        assignments.refresh(out);
        return Optional.of(assignments);
    }

    /** The group's blocks, ascending. */
    public List<Integer> blocks() {
        return blocks;
    }

    /** The group's term. */
    public GroupTerm term() {
        return term;
    }

    /** Daemons that have blocks. */
    public Set<NodeId> daemons() {
        return assigned.keySet();
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
            Set<Integer> there = new TreeSet<>();
            report.blocks().forEach(block -> there.add(block.block()));
            if (entries.stream().allMatch(entry -> there.contains(entry.block()))) {
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
        Update update = updates.computeIfAbsent(receiver, id -> new Update());
        if (!update.entries.equals(entries)) {
            update.entries = List.copyOf(entries);
            update.version++;
            out.send(receiver, new Message.RegisterUpdate(update.version, update.entries));
        }
    }
}
