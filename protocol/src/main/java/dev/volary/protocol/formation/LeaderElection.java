// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.formation;

import dev.volary.protocol.Action;
import dev.volary.protocol.JobEvent;
import dev.volary.protocol.LeaderElectionRecord;
import dev.volary.protocol.LogEntry;
import dev.volary.protocol.Member;
import dev.volary.protocol.Message;
import dev.volary.protocol.Turn;
import dev.volary.protocol.WorkerId;
import dev.volary.protocol.log.LogReplica;
import dev.volary.protocol.log.ReplicatedLog;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/**
 * Who leads: the spawner whose compare-and-set the arbiter took first (docs/explanation/replacement-and-fencing.md, "leader
 * election"). Whoever wants to lead after another one first has a member of the old log promise to take nothing more from older
 * terms, and learns what is in it. Where no member is left to promise, and daemons have come that nobody else looks after,
 * there is no log to take over.
 */
public final class LeaderElection {
    private final WorkerId self;
    private final long retry;
    private final long window;
    private final LogReplica copy;
    private TreeSet<WorkerId> spawners = new TreeSet<>();
    /** All that were found, gone or not. */
    private final TreeSet<WorkerId> met = new TreeSet<>();

    private Optional<LeaderElectionRecord> decided = Optional.empty();
    private Optional<LeaderElectionRecord> standing = Optional.empty();
    private List<LogEntry> heritage = List.of();
    private long standingSince;
    private boolean orphansCame;
    private boolean begins;
    private long askAt = Long.MAX_VALUE;
    private long wanted = 1;

    /**
     * Of the spawner {@code self}; the arbiter is asked again after {@code retry}.
     *
     * @param window how long the members of an old log may be silent before they count as lost
     * @param copy this spawner's copy of the log
     */
    public LeaderElection(WorkerId self, Duration retry, Duration window, LogReplica copy) {
        this.self = self;
        this.retry = retry.toNanos();
        this.window = window.toNanos();
        this.copy = copy;
        spawners.add(self);
    }

    /** Spawners that can be reached, this one included or not. */
    public void found(List<Member> members, Turn out, long now) {
        members.forEach(member -> spawners.add(member.id()));
        members.forEach(member -> met.add(member.id()));
        if (decided.isEmpty() && askAt == Long.MAX_VALUE) {
            ask(out, now);
        }
    }

    /** A spawner is gone. If it led, whoever is left takes the next term. */
    public void lost(WorkerId spawner, Turn out, long now) {
        spawners.remove(spawner);
        if (lead().filter(spawner::equals).isPresent() && wanted <= term()) {
            stand(term() + 1, out, now);
        }
    }

    /** Members of the log obey this term already: whoever leads under an older one stands again. */
    public void shutOut(long promised, Turn out, long now) {
        if (leads() && promised > term() && wanted < promised) {
            stand(promised, out, now);
        }
    }

    /** The arbiter's record as it is now. */
    public void answered(LeaderElectionRecord record, Turn out, long now) {
        if (decided.isPresent() && decided.get().term() >= Math.max(wanted, record.term())) {
            return;
        }
        if (record.lead().isPresent() && record.term() >= wanted) {
            decided = Optional.of(record);
            standing = Optional.empty();
            askAt = Long.MAX_VALUE;
            if (leads()) {
                out.add(new Action.EmitEvent(new JobEvent.LeadElected(self, record.term())));
            }
        } else {
            askAt = now + retry;
            candidate(record, out, now);
        }
    }

    /** A member of the old log has promised. */
    public void promised(WorkerId from, Message.LogPromised promise, Turn out) {
        standing.filter(record -> record.logMembers().contains(from) && promise.term() == record.term() + 1)
                .ifPresent(record -> claim(record, promise.records(), out));
    }

    /**
     * Asks again where no answer came.
     *
     * @param orphans daemons are here that no spawner looks after
     */
    public void tick(boolean orphans, Turn out, long now) {
        orphansCame |= orphans;
        if (now >= askAt) {
            ask(out, now);
        }
        out.wakeAt(askAt);
    }

    /** The lead, once known. */
    public Optional<WorkerId> lead() {
        return decided.flatMap(LeaderElectionRecord::lead);
    }

    /** The lead's term; 0 before there is one. */
    public long term() {
        return decided.map(LeaderElectionRecord::term).orElse(0L);
    }

    /** Whether this spawner leads. */
    public boolean leads() {
        return lead().filter(self::equals).isPresent();
    }

    /** The arbiter's record that named this lead. */
    public LeaderElectionRecord granted() {
        return decided.orElse(LeaderElectionRecord.EMPTY);
    }

    /** Whether the record that this spawner replaced, or would, names no lead: nobody computes yet. */
    public boolean begins() {
        return begins;
    }

    /** What the old log held; of use to the lead. */
    public List<LogEntry> heritage() {
        return heritage;
    }

    /** Entries held. */
    public int entries() {
        return spawners.size() + met.size() + heritage.size();
    }

    private void stand(long term, Turn out, long now) {
        wanted = term;
        standing = Optional.empty();
        ask(out, now);
    }

    private void candidate(LeaderElectionRecord record, Turn out, long now) {
        if (standing.isEmpty()) {
            standingSince = now;
        }
        standing = Optional.of(record);
        long term = record.term() + 1;
        begins = record.lead().isEmpty();
        if (record.lead().isEmpty()) {
            out.add(new Action.CompareAndSet(
                    record,
                    new LeaderElectionRecord(Optional.of(self), term, ReplicatedLog.firstMembers(self, spawners))));
        } else if (record.logMembers().contains(self)) {
            claim(record, copy.promise(term), out);
        } else {
            if (orphansCame && now - standingSince >= window) {
                claim(record, List.of(), out);
            }
            askMembers(record, term, out);
        }
    }

    /** Whoever was taken for gone is asked too: it may live, and know that the job is over. */
    private void askMembers(LeaderElectionRecord record, long term, Turn out) {
        record.logMembers().stream()
                .filter(member -> met.contains(member) && !member.equals(self))
                .forEach(member -> out.send(member, new Message.LogPromise(term)));
    }

    /** Members of the new log are those of the old one that are left: they have all that counts. */
    private void claim(LeaderElectionRecord record, List<LogEntry> told, Turn out) {
        heritage = told;
        List<WorkerId> left = told.isEmpty()
                ? List.of(self)
                : record.logMembers().stream().filter(spawners::contains).toList();
        out.add(new Action.CompareAndSet(record, new LeaderElectionRecord(Optional.of(self), record.term() + 1, left)));
    }

    private void ask(Turn out, long now) {
        askAt = now + retry;
        out.add(new Action.ReadArbiter());
    }
}
