package dev.volary.protocol.spawner;

import dev.volary.protocol.Actions;
import dev.volary.protocol.GroupTerm;
import dev.volary.protocol.Member;
import dev.volary.protocol.Message;
import dev.volary.protocol.NodeId;
import dev.volary.protocol.formation.Assignments;
import dev.volary.protocol.formation.Reservations;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Copies of registers: of this spawner's group at its next successors in the ring, and of others' groups here. A copy may be a
 * little old: whoever takes over also hears from the daemons what they compute.
 */
final class RegisterCopies {
    private static final int SUCCESSORS = 2;

    private final long retry;
    private final TreeMap<NodeId, Long> copied = new TreeMap<>();
    private final TreeMap<NodeId, Message.GroupCopy> others = new TreeMap<>();
    private Optional<Message.GroupCopy> own = Optional.empty();
    private long seen = -1;
    private long repeatAt = Long.MIN_VALUE;

    RegisterCopies(Duration retry) {
        this.retry = retry.toNanos();
    }

    /** Another owner's register. */
    void copy(NodeId from, Message.GroupCopy copy, Actions out) {
        Message.GroupCopy known = others.get(from);
        boolean newer = known == null
                || known.term().compareTo(copy.term()) < 0
                || (known.term().equals(copy.term()) && known.version() < copy.version());
        if (newer) {
            others.put(from, copy);
        }
        out.send(from, new Message.GroupCopied(copy.term(), copy.version()));
    }

    /** A successor has this version. */
    void copied(NodeId from, GroupTerm term, long version) {
        if (own.filter(copy -> copy.term().equals(term)).isPresent()) {
            copied.merge(from, version, Math::max);
        }
    }

    boolean has(NodeId owner) {
        return others.containsKey(owner);
    }

    /** Of the other groups, as far as there are copies here. */
    List<Member> daemons() {
        return others.values().stream().flatMap(copy -> copy.daemons().stream()).toList();
    }

    /** The copy of an owner that is gone; it is needed once. */
    Optional<Message.GroupCopy> take(NodeId owner) {
        return Optional.ofNullable(others.remove(owner));
    }

    /** Sends the register where it has changed. */
    void tick(Assignments group, Reservations daemons, List<NodeId> successors, Actions out, long now) {
        long version = group.version() + daemons.version();
        boolean renewed = own.filter(copy -> copy.term().equals(group.term())).isEmpty();
        if (renewed || version != seen) {
            seen = version;
            copied.clear();
            own = Optional.of(new Message.GroupCopy(
                    group.term(), version, group.blocks(), group.entriesOf(group.blocks()), daemons.members()));
            repeatAt = now;
        }
        List<NodeId> missing = successors.stream()
                .limit(SUCCESSORS)
                .filter(id -> copied.getOrDefault(id, -1L) < version)
                .toList();
        if (!missing.isEmpty()) {
            if (now >= repeatAt) {
                repeatAt = now + retry;
                missing.forEach(id -> out.send(id, own.orElseThrow()));
            }
            out.wakeAt(repeatAt);
        }
    }

    int entries() {
        return copied.size()
                + others.values().stream()
                        .mapToInt(copy -> copy.blocks().size() + copy.daemons().size())
                        .sum();
    }
}
