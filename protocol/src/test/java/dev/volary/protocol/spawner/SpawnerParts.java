// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.spawner;

import static dev.volary.protocol.Samples.chain;
import static dev.volary.protocol.Samples.daemon;
import static dev.volary.protocol.Samples.incarnation;
import static dev.volary.protocol.Samples.spawner;

import dev.volary.protocol.Samples;
import dev.volary.protocol.backup.HolderDirectory;
import dev.volary.protocol.config.RecoveryPolicy;
import dev.volary.protocol.config.SpawnerConfig;
import dev.volary.protocol.directory.Epochs;
import dev.volary.protocol.machine.LeaderElectionRecord;
import dev.volary.protocol.machine.SpawnerTurn;
import dev.volary.protocol.message.BackupMessage;
import dev.volary.protocol.message.ProgressMessage;
import dev.volary.protocol.message.RegistrationMessage;
import dev.volary.protocol.message.TakeoverMessage;
import dev.volary.protocol.model.BackupHolder;
import dev.volary.protocol.model.FailureVerdict;
import dev.volary.protocol.model.JobGraph;
import dev.volary.protocol.model.Member;
import dev.volary.protocol.stepping.RecoveredSteps;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The parts of spawner 1, which knows spawner 2, of a job with four blocks of 10 bytes in a chain. */
final class SpawnerParts {
    static final Member SELF = spawner(1);
    static final Member OTHER = spawner(2);
    static final Member DAEMON = daemon(11);
    static final Member SECOND = daemon(12);
    static final SpawnerConfig CONFIG =
            SpawnerConfig.of(2, 2, 1e-6, Duration.ofSeconds(10), Optional.empty(), RecoveryPolicy.STANDARD);
    /** All blocks roll back together. */
    static final SpawnerConfig LOCK_STEP = SpawnerConfig.of(
            2, 2, 1e-6, Duration.ofSeconds(10), Optional.empty(), RecoveryPolicy.STANDARD.allOrNothing());

    final JobGraph graph = chain(4);
    final EvictedWorkers evicted = new EvictedWorkers();
    final KnownSpawners spawners = new KnownSpawners(SELF.id(), evicted);
    final OwnershipTracker ownership = new OwnershipTracker(SELF, CONFIG.retry(), Duration.ofSeconds(4));
    final RecoveredSteps recoveredSteps = new RecoveredSteps();
    final SpawnerLeadership leadership =
            new SpawnerLeadership(SELF, graph, CONFIG, spawners, ownership.owners(), recoveredSteps);
    final GroupMembers members = new GroupMembers(SELF, CONFIG, 7);
    final OwnedGroup group = new OwnedGroup(graph, CONFIG, leadership, members);
    final ProgressReporter reporter = new ProgressReporter(SELF, CONFIG, group, 7);

    SpawnerParts() {
        spawners.add(OTHER, new SpawnerTurn(0));
    }

    /** This worker wins the first election. */
    void elect(Member leader) {
        LeaderElectionRecord record = new LeaderElectionRecord(Optional.of(leader.id()), 1, List.of(leader.id()));
        var _ = leadership.answered(record, new SpawnerTurn(0));
    }

    /** These daemons join the group. */
    void join(Member... daemons) {
        for (Member daemon : daemons) {
            members.register(new RegistrationMessage.Register(daemon, Optional.of(SELF.id())), new SpawnerTurn(0));
        }
    }

    /** Daemon 11 gets blocks 0 and 1, spawner 2 owns the others. */
    void plan() {
        TakeoverMessage.GroupPlan own = Samples.group(SELF, 1, 0, 1);
        ownership.planned(new TakeoverMessage.Plan(1, List.of(own, Samples.group(OTHER, 1, 2, 3))));
        join(DAEMON);
        BlockGroup blocks = group.withoutBlocks(own.term());
        blocks.assignFirst(own, members.members(), new SpawnerTurn(0));
        group.planned(blocks, new SpawnerTurn(0));
    }

    List<Integer> blocksOf(Member daemon) {
        return group.blocks().orElseThrow().assignments().blocksOf(daemon.id());
    }

    List<Integer> blocks() {
        return group.blocks().orElseThrow().assignments().blocks();
    }

    /** A daemon reports an iteration of these blocks under their first incarnations. */
    static ProgressMessage.DaemonReport report(Member daemon, long spawner, int... blocks) {
        List<ProgressMessage.BlockProgress> progress = new ArrayList<>();
        for (int block : blocks) {
            progress.add(
                    new ProgressMessage.BlockProgress(block, incarnation(spawner, Epochs.first(1)), 5, 5, 0.1, 0, 0));
        }
        return new ProgressMessage.DaemonReport(daemon.id(), progress);
    }

    static FailureVerdict dead(Member worker) {
        return new FailureVerdict(worker.id(), FailureVerdict.Cause.DEAD, 0);
    }

    /** The daemon has found backups with their holders. */
    static void warmUp(HolderDirectory holders, Member daemon) {
        BackupHolder holder = new BackupHolder(daemon.id(), "virtual", "", daemon.address());
        holders.holderReported(
                new BackupMessage.HolderReport(holder, 1, 0, true), List.of(DAEMON, SECOND), new SpawnerTurn(0));
    }
}
