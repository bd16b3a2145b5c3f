// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.log;

import dev.volary.protocol.machine.LeaderElectionRecord;
import dev.volary.protocol.machine.SpawnerAction;
import dev.volary.protocol.machine.SpawnerTurn;
import dev.volary.protocol.message.LogEntry;
import dev.volary.protocol.message.LogMessage;
import dev.volary.protocol.model.WorkerId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The leader's log as its leader writes it (docs/explanation/replacement-and-fencing.md, "the replicated log"). A record counts
 * once every member has it; then any one member can pass it to the next leader. Members change by compare-and-set of the
 * arbiter's record alone: a new member has a copy of everything first, and until the arbiter has answered a record needs the
 * old members and the new ones.
 *
 * <p>While every member lives, appending needs no arbiter. A log with one member is the exception: no other member could refuse
 * a leader that was deposed, so the arbiter is asked whether it leads still.
 */
public final class ReplicatedLog {
    /** More members than these make each record dearer and hardly safer. */
    public static final int MOST_MEMBERS = 3;

    private final WorkerId self;
    private final long retry;
    private final CompactedLog contents = new CompactedLog();
    private final TreeMap<WorkerId, Long> written = new TreeMap<>();
    private LeaderElectionRecord granted;
    private Optional<LeaderElectionRecord> wanted = Optional.empty();
    private long position;
    private long asked;
    private long confirmed;
    private boolean deposed;
    private long repeatAt = Long.MIN_VALUE;
    private long arbiterAt = Long.MIN_VALUE;

    /**
     * Of a new leader.
     *
     * @param granted the arbiter's record that names it
     * @param inherited what a member of the old log has sent with its promise; it counts again once all members have it
     */
    public ReplicatedLog(WorkerId self, Duration retry, LeaderElectionRecord granted, List<LogEntry> inherited) {
        this.self = self;
        this.retry = retry.toNanos();
        this.granted = granted;
        inherited.forEach(this::append);
    }

    /** The members' number for a first log: the leader and some others. */
    public static List<WorkerId> firstMembers(WorkerId leader, Collection<WorkerId> spawners) {
        List<WorkerId> members = new ArrayList<>();
        members.add(leader);
        spawners.stream()
                .filter(id -> !id.equals(leader) && members.size() < MOST_MEMBERS)
                .forEach(members::add);
        return List.copyOf(members);
    }

    /** Appends a record, to be written with the next {@link #tick}. It counts once {@link #durable} reaches its position. */
    public long append(LogEntry record) {
        position++;
        contents.put(position, record);
        repeatAt = Long.MIN_VALUE;
        arbiterAt = Long.MIN_VALUE;
        return position;
    }

    /** All records up to this position count; 0 if none does. */
    public long durable() {
        long newest = written(members());
        return deposed ? 0 : isAlone() ? Math.min(newest, confirmed) : newest;
    }

    /** Whether the newest record of this kind counts. */
    public boolean holds(LogEntry record) {
        return durable() == position
                && newest(record.getClass()).filter(record::equals).isPresent();
    }

    /** The newest record of a kind, whether it counts yet or not. */
    public <T extends LogEntry> Optional<T> newest(Class<T> kind) {
        return contents.newest(kind);
    }

    /** Whether the newest record of one kind was logged after that of another kind. */
    public boolean isAfter(LogEntry record, LogEntry earlier) {
        return contents.isAfter(record.getClass(), earlier.getClass());
    }

    /** A member has everything up to a position. */
    public void written(WorkerId member, LogMessage.AppendAck ack) {
        if (ack.term() == granted.term()) {
            written.merge(member, ack.position(), Math::max);
        }
    }

    /** A member has promised a newer leader to refuse this one: nothing counts any more. */
    public void refused(long newer) {
        deposed |= newer > granted.term();
    }

    /** Whether a newer leader has shut this one out. */
    public boolean isDeposed() {
        return deposed;
    }

    /** The arbiter's record as it is now. */
    public void answered(LeaderElectionRecord record) {
        if (record.term() != granted.term() || !record.leader().equals(granted.leader())) {
            deposed |= record.term() > granted.term();
            return;
        }
        granted = record;
        if (wanted.filter(record::equals).isPresent()) {
            wanted = Optional.empty();
        }
        confirmed = Math.max(confirmed, asked);
    }

    /**
     * Writes to members that lack entries, and changes the members as spawners come and go.
     *
     * @param others living spawners beside the leader, its successors in the ring first
     */
    public void tick(List<WorkerId> others, SpawnerTurn turn) {
        if (deposed) {
            return;
        }
        List<WorkerId> next = next(others);
        boolean changes = !next.equals(granted.logMembers());
        Set<WorkerId> receivers = members();
        receivers.addAll(next);
        receivers.removeIf(id -> !id.equals(self) && !others.contains(id));
        written.keySet().retainAll(receivers);
        boolean complete = written(receivers) >= position;
        // With another spawner there, what the leader alone has does not count: it would be lost with the leader.
        boolean unsure = isAlone() && confirmed < position && !changes;
        if (turn.now() >= repeatAt && (!complete || changes)) {
            repeatAt = turn.now() + retry;
            receivers.forEach(receiver -> write(receiver, turn));
        }
        boolean ready = changes && written(Set.copyOf(next)) >= position;
        if (turn.now() >= arbiterAt && (ready || unsure)) {
            arbiterAt = turn.now() + retry;
            if (ready) {
                wanted = Optional.of(new LeaderElectionRecord(granted.leader(), granted.term(), next));
                turn.add(new SpawnerAction.CompareAndSet(granted, wanted.get()));
            } else {
                asked = position;
                turn.add(new SpawnerAction.ReadArbiter());
            }
        }
        if (!complete || changes) {
            turn.wakeAt(repeatAt);
        }
        if (ready || unsure) {
            turn.wakeAt(arbiterAt);
        }
    }

    /** Entries held. */
    public int entries() {
        return contents.entries() + written.size();
    }

    /**
     * Whether no other member could have shut this leader out. A member that only joins does not count: it may join two
     * leaders.
     */
    private boolean isAlone() {
        return granted.logMembers().size() == 1;
    }

    /** The members that must have a record for it to count. */
    private Set<WorkerId> members() {
        Set<WorkerId> members = new TreeSet<>(granted.logMembers());
        wanted.ifPresent(record -> members.addAll(record.logMembers()));
        return members;
    }

    /** Members that live stay, the leader is one, and the next in the ring fill up. */
    private List<WorkerId> next(List<WorkerId> others) {
        List<WorkerId> living = new ArrayList<>(granted.logMembers());
        living.removeIf(id -> !id.equals(self) && !others.contains(id));
        if (!living.contains(self)) {
            living.add(self);
        }
        for (WorkerId other : others) {
            if (living.size() < MOST_MEMBERS && !living.contains(other)) {
                living.add(other);
            }
        }
        return living;
    }

    private long written(Set<WorkerId> members) {
        long everywhere = position;
        while (everywhere > 0 && have(members, everywhere) < members.size()) {
            everywhere--;
        }
        return everywhere;
    }

    private int have(Set<WorkerId> members, long upTo) {
        return (int) members.stream()
                .filter(member -> written.getOrDefault(member, 0L) >= upTo)
                .count();
    }

    private void write(WorkerId receiver, SpawnerTurn turn) {
        long has = written.getOrDefault(receiver, 0L);
        if (has < position) {
            turn.send(receiver, new LogMessage.Append(granted.term(), has, position, contents.after(has)));
        }
    }
}
