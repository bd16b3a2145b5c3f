// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.leader;

import dev.volary.protocol.config.SpawnerConfig;
import dev.volary.protocol.log.LogReplica;
import dev.volary.protocol.log.ReplicatedLog;
import dev.volary.protocol.machine.LeaderElectionRecord;
import dev.volary.protocol.machine.SpawnerTurn;
import dev.volary.protocol.message.LogMessage;
import dev.volary.protocol.model.Member;
import dev.volary.protocol.model.WorkerId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;

/**
 * A spawner's part in the leader election: it stands for election, keeps a copy of the leader's log, and writes it if it won.
 */
public final class ElectionParticipant {
    /** The members of an old log count as lost after this many suspicion windows. */
    private static final int WINDOWS = 2;

    private final WorkerId self;
    private final Duration retry;
    private final LogReplica copy;
    private final LeaderElection election;
    private final long window;
    private Optional<ReplicatedLog> log = Optional.empty();
    private long unknownUntil = Long.MAX_VALUE;

    public ElectionParticipant(WorkerId self, SpawnerConfig config) {
        this.self = self;
        this.retry = config.retry();
        this.copy = new LogReplica();
        Duration silence = config.watch().timeout().multipliedBy(WINDOWS);
        this.window = silence.toNanos();
        this.election = new LeaderElection(self, retry, silence, copy);
    }

    public void found(List<Member> spawners, SpawnerTurn turn) {
        election.found(spawners, turn);
    }

    public void lost(WorkerId spawner, SpawnerTurn turn) {
        election.lost(spawner, turn);
    }

    /** The arbiter's record; returns whether there is another term now. */
    public boolean answered(LeaderElectionRecord record, SpawnerTurn turn) {
        long before = election.term();
        election.answered(record, turn);
        log.ifPresent(l -> l.answered(record));
        boolean news = election.term() > before;
        if (news) {
            log = election.leads()
                    ? Optional.of(new ReplicatedLog(self, retry, election.granted(), election.inheritedEntries()))
                    : Optional.empty();
        }
        return news;
    }

    /** Takes a message about the log. */
    public void received(WorkerId from, LogMessage message, SpawnerTurn turn) {
        switch (message) {
            case LogMessage.Append write -> copy.write(from, write, turn);
            case LogMessage.AppendAck written -> log.ifPresent(l -> l.written(from, written));
            case LogMessage.Prepare request -> copy.promise(from, request, turn);
            case LogMessage.Promise promised -> election.promised(from, promised, turn);
            case LogMessage.PrepareRejected refused -> {
                log.ifPresent(l -> l.refused(refused.promised()));
                election.superseded(refused.promised(), turn);
            }
        }
    }

    /**
     * @param others living spawners beside this one
     * @param orphans whether daemons are here that no other spawner owns
     */
    public void tick(NavigableSet<WorkerId> others, boolean orphans, SpawnerTurn turn) {
        election.tick(orphans, turn);
        log.ifPresent(l -> l.tick(successors(self, others), turn));
        checkForLostLeader(others, turn);
    }

    /** A leader that is unknown here, and is not discovered within the window, was lost with all that knew it. */
    private void checkForLostLeader(NavigableSet<WorkerId> others, SpawnerTurn turn) {
        boolean unknown = election.leader()
                .filter(id -> !id.equals(self) && !others.contains(id))
                .isPresent();
        if (!unknown) {
            unknownUntil = Long.MAX_VALUE;
        } else if (unknownUntil == Long.MAX_VALUE) {
            unknownUntil = turn.now() + window;
        } else if (turn.now() >= unknownUntil) {
            unknownUntil = Long.MAX_VALUE;
            election.lost(election.leader().orElseThrow(), turn);
        }
        turn.wakeAt(unknownUntil);
    }

    /** The others, in the ring's order from one spawner on. */
    public static List<WorkerId> successors(WorkerId of, NavigableSet<WorkerId> others) {
        List<WorkerId> successors = new ArrayList<>(others.tailSet(of, false));
        successors.addAll(others.headSet(of, false));
        return successors;
    }

    /** The leader, once known. */
    public Optional<WorkerId> leader() {
        return election.leader();
    }

    /** Whether this leader is the first since the arbiter's record was empty. */
    public boolean isFirstLeader() {
        return election.isFirstLeader();
    }

    public long term() {
        return election.term();
    }

    /** The log, if this spawner leads. */
    public Optional<ReplicatedLog> log() {
        return log;
    }

    public int entries() {
        return election.entries()
                + copy.entries()
                + log.map(ReplicatedLog::entries).orElse(0);
    }
}
