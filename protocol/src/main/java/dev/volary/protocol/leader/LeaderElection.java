// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.leader;

import dev.volary.protocol.log.LogReplica;
import dev.volary.protocol.log.ReplicatedLog;
import dev.volary.protocol.machine.JobEvent;
import dev.volary.protocol.machine.LeaderElectionRecord;
import dev.volary.protocol.machine.SpawnerAction;
import dev.volary.protocol.machine.SpawnerTurn;
import dev.volary.protocol.message.LogEntry;
import dev.volary.protocol.message.LogMessage;
import dev.volary.protocol.model.Member;
import dev.volary.protocol.model.WorkerId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/**
 * Who leads: the spawner whose compare-and-set the arbiter took first (docs/explanation/replacement-and-fencing.md, "leader
 * election"). A spawner that wants to lead after another one first makes a member of the old log promise to take nothing more
 * from older terms, and learns what is in it. Where no member is left to promise, and daemons have come that no other spawner
 * owns, there is no log to take over.
 */
public final class LeaderElection {
    private final WorkerId self;
    private final long retry;
    private final long window;
    private final LogReplica copy;
    private TreeSet<WorkerId> spawners = new TreeSet<>();
    /** All that were discovered, dead or not. */
    private final TreeSet<WorkerId> greeted = new TreeSet<>();

    private Optional<LeaderElectionRecord> decided = Optional.empty();
    private Optional<LeaderElectionRecord> standing = Optional.empty();
    private List<LogEntry> inheritedEntries = List.of();
    private long standingSince;
    private boolean orphansCame;
    private boolean isFirstLeader;
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
    public void found(List<Member> members, SpawnerTurn turn) {
        members.forEach(member -> spawners.add(member.id()));
        members.forEach(member -> greeted.add(member.id()));
        if (decided.isEmpty() && askAt == Long.MAX_VALUE) {
            ask(turn);
        }
    }

    /** A spawner is dead. If it led, this one stands for the next term. */
    public void lost(WorkerId spawner, SpawnerTurn turn) {
        spawners.remove(spawner);
        if (leader().filter(spawner::equals).isPresent() && wanted <= term()) {
            stand(term() + 1, turn);
        }
    }

    /** Members of the log obey this term already: a leader under an older one stands again. */
    public void superseded(long promised, SpawnerTurn turn) {
        if (leads() && promised > term() && wanted < promised) {
            stand(promised, turn);
        }
    }

    /** The arbiter's record as it is now. */
    public void answered(LeaderElectionRecord record, SpawnerTurn turn) {
        if (decided.isPresent() && decided.get().term() >= Math.max(wanted, record.term())) {
            return;
        }
        if (record.leader().isPresent() && record.term() >= wanted) {
            decided = Optional.of(record);
            standing = Optional.empty();
            askAt = Long.MAX_VALUE;
            if (leads()) {
                turn.emit(new JobEvent.LeaderElected(self, record.term()));
            }
        } else {
            askAt = turn.now() + retry;
            candidate(record, turn);
        }
    }

    /** A member of the old log has promised. */
    public void promised(WorkerId from, LogMessage.Promise promise, SpawnerTurn turn) {
        standing.filter(record -> record.logMembers().contains(from) && promise.term() == record.term() + 1)
                .ifPresent(record -> claim(record, promise.records(), turn));
    }

    /**
     * Asks again where no answer came.
     *
     * @param orphans whether daemons are here that no spawner owns
     */
    public void tick(boolean orphans, SpawnerTurn turn) {
        orphansCame |= orphans;
        if (turn.now() >= askAt) {
            ask(turn);
        }
        turn.wakeAt(askAt);
    }

    /** The leader, once known. */
    public Optional<WorkerId> leader() {
        return decided.flatMap(LeaderElectionRecord::leader);
    }

    /** The leader's term; 0 before there is one. */
    public long term() {
        return decided.map(LeaderElectionRecord::term).orElse(0L);
    }

    /** Whether this spawner leads. */
    public boolean leads() {
        return leader().filter(self::equals).isPresent();
    }

    /** The arbiter's record that named this leader. */
    public LeaderElectionRecord granted() {
        return decided.orElse(LeaderElectionRecord.EMPTY);
    }

    /** Whether the record that this spawner replaced, or would, names no leader: no daemon computes yet. */
    public boolean isFirstLeader() {
        return isFirstLeader;
    }

    /** What the old log held; of use to the leader. */
    public List<LogEntry> inheritedEntries() {
        return inheritedEntries;
    }

    /** Entries held. */
    public int entries() {
        return spawners.size() + greeted.size() + inheritedEntries.size();
    }

    private void stand(long term, SpawnerTurn turn) {
        wanted = term;
        standing = Optional.empty();
        ask(turn);
    }

    private void candidate(LeaderElectionRecord record, SpawnerTurn turn) {
        if (standing.isEmpty()) {
            standingSince = turn.now();
        }
        standing = Optional.of(record);
        long term = record.term() + 1;
        isFirstLeader = record.leader().isEmpty();
        if (record.leader().isEmpty()) {
            turn.add(new SpawnerAction.CompareAndSet(
                    record,
                    new LeaderElectionRecord(Optional.of(self), term, ReplicatedLog.firstMembers(self, spawners))));
        } else if (record.logMembers().contains(self)) {
            claim(record, copy.promise(term), turn);
        } else {
            if (orphansCame && turn.now() - standingSince >= window) {
                claim(record, List.of(), turn);
            }
            askMembers(record, term, turn);
        }
    }

    /** Members that were declared dead are asked too: one may live, and know that the job is over. */
    private void askMembers(LeaderElectionRecord record, long term, SpawnerTurn turn) {
        record.logMembers().stream()
                .filter(member -> greeted.contains(member) && !member.equals(self))
                .forEach(member -> turn.send(member, new LogMessage.Prepare(term)));
    }

    /** Members of the new log are those of the old one that are left: they have all that counts. */
    private void claim(LeaderElectionRecord record, List<LogEntry> inherited, SpawnerTurn turn) {
        inheritedEntries = inherited;
        List<WorkerId> left = inherited.isEmpty()
                ? List.of(self)
                : record.logMembers().stream().filter(spawners::contains).toList();
        turn.add(new SpawnerAction.CompareAndSet(
                record, new LeaderElectionRecord(Optional.of(self), record.term() + 1, left)));
    }

    private void ask(SpawnerTurn turn) {
        askAt = turn.now() + retry;
        turn.add(new SpawnerAction.ReadArbiter());
    }
}
