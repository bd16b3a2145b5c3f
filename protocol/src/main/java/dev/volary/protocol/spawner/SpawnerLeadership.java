// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.spawner;

import dev.volary.protocol.config.SpawnerConfig;
import dev.volary.protocol.directory.GroupOwners;
import dev.volary.protocol.leader.ElectionParticipant;
import dev.volary.protocol.leader.Leader;
import dev.volary.protocol.machine.LeaderElectionRecord;
import dev.volary.protocol.machine.SpawnerEvent;
import dev.volary.protocol.machine.SpawnerTurn;
import dev.volary.protocol.message.LogMessage;
import dev.volary.protocol.message.ProgressMessage;
import dev.volary.protocol.message.ToLeader;
import dev.volary.protocol.model.JobGraph;
import dev.volary.protocol.model.Member;
import dev.volary.protocol.model.WorkerId;
import dev.volary.protocol.stepping.RecoveredSteps;
import dev.volary.protocol.stepping.StepJournal;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * A spawner's relation to the leader of the job: takes part in the election, runs the {@link Leader} if this spawner won, and
 * otherwise passes messages on to the one that did.
 */
final class SpawnerLeadership {
    private final Member self;
    private final JobGraph graph;
    private final SpawnerConfig config;
    private final KnownSpawners spawners;
    private final GroupOwners owners;
    private final RecoveredSteps recoveredSteps;
    private final ElectionParticipant election;
    private Optional<Leader> leader = Optional.empty();
    /** Why the checkpoint that the job should go on from cannot be read, if so. */
    private Optional<String> refused = Optional.empty();

    /**
     * @param owners which spawner owns which blocks, as this spawner knows it
     * @param recoveredSteps what the group's daemons know of commits
     */
    SpawnerLeadership(
            Member self,
            JobGraph graph,
            SpawnerConfig config,
            KnownSpawners spawners,
            GroupOwners owners,
            RecoveredSteps recoveredSteps) {
        this.self = self;
        this.graph = graph;
        this.config = config;
        this.spawners = spawners;
        this.owners = owners;
        this.recoveredSteps = recoveredSteps;
        this.election = new ElectionParticipant(self.id(), config);
    }

    // ---- who leads -------------------------------------------------------------------------------------------------

    /** The leader, once known. */
    Optional<WorkerId> leader() {
        return election.leader();
    }

    /** The leader, if this spawner knows its address: a new one may be elected before it is discovered. */
    Optional<WorkerId> reachableLeader() {
        return election.leader().filter(id -> id.equals(self.id()) || spawners.has(id));
    }

    boolean isLeader(WorkerId spawner) {
        return election.leader().filter(spawner::equals).isPresent();
    }

    long term() {
        return election.term();
    }

    /** Whether this spawner leads. */
    boolean leads() {
        return leader.isPresent();
    }

    /** The newest progress of all daemons of the job, if this spawner leads. */
    Optional<List<ProgressMessage.DaemonReport>> progress() {
        return leader.map(Leader::progress);
    }

    // ---- election --------------------------------------------------------------------------------------------------

    /** Discovery reports these spawners. */
    void found(List<Member> there, SpawnerTurn turn) {
        election.found(there, turn);
    }

    /** A spawner is dead. */
    void lost(WorkerId spawner, SpawnerTurn turn) {
        election.lost(spawner, turn);
        leader.ifPresent(l -> l.lost(spawner));
    }

    void received(WorkerId from, LogMessage message, SpawnerTurn turn) {
        election.received(from, message, turn);
    }

    /** The arbiter's record; returns whether there is another term now. */
    boolean answered(LeaderElectionRecord record, SpawnerTurn turn) {
        if (!election.answered(record, turn)) {
            return false;
        }
        leader = election.log()
                .map(log -> new Leader(
                        self,
                        graph,
                        config,
                        log,
                        new StepJournal(log, recoveredSteps),
                        owners,
                        spawners.members().size() + 1,
                        election.isFirstLeader(),
                        election.term(),
                        turn.now()));
        if (leader.isPresent() && election.isFirstLeader() && refused.isPresent()) {
            leader.get().fail(refused.get());
        }
        return true;
    }

    /** The checkpoint that the job should go on from cannot be read. The first leader ends the job. */
    void checkpointRefused(String reason) {
        refused = Optional.of(reason);
    }

    // ---- leading ---------------------------------------------------------------------------------------------------

    /** A message that only a leader needs. */
    void received(WorkerId from, ToLeader message, SpawnerTurn turn) {
        leader.ifPresent(l -> l.received(from, message, turn));
    }

    /** A message that must reach the leader: handled here if this spawner leads, else passed on. */
    void forward(WorkerId from, ToLeader message, SpawnerTurn turn) {
        if (leader.isPresent()) {
            leader.get().received(from, message, turn);
        } else {
            reachableLeader().ifPresent(to -> turn.send(to, message));
        }
    }

    void on(SpawnerEvent.PartEvent event, SpawnerTurn turn) {
        leader.ifPresent(l -> l.on(event, turn));
    }

    void on(SpawnerEvent.ResultEvent event, SpawnerTurn turn) {
        leader.ifPresent(l -> l.on(event, turn));
    }

    void activeFor(Duration time, SpawnerTurn turn) {
        leader.ifPresent(l -> l.activeFor(time, turn));
    }

    void snapshotNow(SpawnerTurn turn) {
        leader.ifPresent(l -> l.snapshotNow(turn));
    }

    // ---- time ------------------------------------------------------------------------------------------------------

    /** @param hasDaemons whether daemons are in this spawner's group, so that the job needs a leader */
    void tick(boolean hasDaemons, SpawnerTurn turn) {
        leader.ifPresent(l -> l.tick(this::copyTargets, turn));
        election.tick(spawners.ids(), hasDaemons, turn);
    }

    /** Where copies of parts and of the result may go: spawners on other machines first, each kind in the order of the ring. */
    private List<Member> copyTargets() {
        return ElectionParticipant.successors(self.id(), spawners.ids()).stream()
                .flatMap(id -> spawners.find(id).stream())
                .sorted(Comparator.comparing(spawner -> !spawner.isOnAnotherMachine(self)))
                .toList();
    }

    int entries() {
        return election.entries() + leader.map(Leader::entries).orElse(0);
    }
}
