package dev.volary.protocol.formation;

import dev.volary.protocol.Action;
import dev.volary.protocol.Actions;
import dev.volary.protocol.ArbiterRecord;
import dev.volary.protocol.JobEvent;
import dev.volary.protocol.Member;
import dev.volary.protocol.NodeId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/** Who leads: the spawner whose compare-and-set the arbiter took first (design §5). */
public final class Election {
    private final NodeId self;
    private final long retry;
    private List<NodeId> spawners = List.of();
    private Optional<ArbiterRecord> decided = Optional.empty();
    private long askAt = Long.MAX_VALUE;
    private long wanted = 1;

    /** Of the spawner {@code self}; the arbiter is asked again after {@code retry}. */
    public Election(NodeId self, Duration retry) {
        this.self = self;
        this.retry = retry.toNanos();
    }

    /** Spawners that can be reached, this one included or not. */
    public void found(List<Member> members, Actions out, long now) {
        TreeSet<NodeId> ids = new TreeSet<>(spawners);
        ids.add(self);
        members.forEach(member -> ids.add(member.id()));
        spawners = List.copyOf(ids);
        if (decided.isEmpty() && askAt == Long.MAX_VALUE) {
            ask(out, now);
        }
    }

    /** A spawner is gone: whoever is left takes the next term, so that there is a new plan without it. */
    public void lost(NodeId spawner, Actions out, long now) {
        TreeSet<NodeId> left = new TreeSet<>(spawners);
        if (left.remove(spawner) || lead().filter(spawner::equals).isPresent()) {
            spawners = List.copyOf(left);
            wanted = term() + 1;
            ask(out, now);
        }
    }

    /** The arbiter's record as it is now. */
    public void answered(ArbiterRecord record, Actions out, long now) {
        if (decided.isPresent() && decided.get().term() >= Math.max(wanted, record.term())) {
            return;
        }
        if (record.lead().isPresent() && record.term() >= wanted) {
            decided = Optional.of(record);
            askAt = Long.MAX_VALUE;
            if (leads()) {
                out.add(new Action.Emit(new JobEvent.LeadElected(self, record.term())));
            }
        } else {
            askAt = now + retry;
            List<NodeId> members = new ArrayList<>(spawners);
            out.add(new Action.CompareAndSet(record, new ArbiterRecord(Optional.of(self), record.term() + 1, members)));
        }
    }

    /** Asks again where no answer came. */
    public void tick(Actions out, long now) {
        if (now >= askAt) {
            ask(out, now);
        }
        out.wakeAt(askAt);
    }

    /** The lead, once known. */
    public Optional<NodeId> lead() {
        return decided.flatMap(ArbiterRecord::lead);
    }

    /** The lead's term; 0 before there is one. */
    public long term() {
        return decided.map(ArbiterRecord::term).orElse(0L);
    }

    /** Whether this spawner leads. */
    public boolean leads() {
        return lead().filter(self::equals).isPresent();
    }

    private void ask(Actions out, long now) {
        askAt = now + retry;
        out.add(new Action.ReadArbiter());
    }
}
