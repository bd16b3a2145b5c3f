// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.spawner;

import dev.volary.protocol.config.SnapshotConfig;
import dev.volary.protocol.config.SpawnerConfig;
import dev.volary.protocol.convergence.GroupTokens;
import dev.volary.protocol.directory.BlockAssignments;
import dev.volary.protocol.directory.BlockDirectory;
import dev.volary.protocol.directory.Epochs;
import dev.volary.protocol.machine.SpawnerTurn;
import dev.volary.protocol.message.CommittedStep;
import dev.volary.protocol.message.RollbackMessage;
import dev.volary.protocol.model.JobGraph;
import dev.volary.protocol.model.WorkerId;
import dev.volary.protocol.rollback.GroupRollback;
import dev.volary.protocol.snapshot.GroupSnapshots;
import dev.volary.protocol.stepping.GroupSteps;
import java.util.Collection;
import java.util.Optional;

/**
 * The group's side of what the leader coordinates across all blocks: snapshots, time steps, rollbacks and the tokens that
 * detect convergence. Each part knows a fixed set of blocks and is replaced when the group's blocks change.
 */
final class GroupCoordination {
    private final JobGraph graph;
    private final SpawnerConfig config;
    private final BlockDirectory directory;
    private final BlockAssignments assignments;
    private GroupSnapshots snapshots;
    private GroupSteps steps;
    private Optional<GroupRollback> rollback;
    private Optional<GroupTokens> tokens;

    GroupCoordination(JobGraph graph, SpawnerConfig config, BlockDirectory directory, BlockAssignments assignments) {
        this.graph = graph;
        this.config = config;
        this.directory = directory;
        this.assignments = assignments;
        this.snapshots = newSnapshots();
        this.steps = newSteps();
        this.rollback = newRollback(0);
        this.tokens = newTokens();
    }

    GroupSnapshots snapshots() {
        return snapshots;
    }

    GroupSteps steps() {
        return steps;
    }

    /** Present in jobs whose blocks all roll back when one has lost its daemon. */
    Optional<GroupRollback> rollback() {
        return rollback;
    }

    /** Present in jobs in which tokens detect convergence. */
    Optional<GroupTokens> tokens() {
        return tokens;
    }

    /** Whether blocks without a daemon wait for the leader to begin a new epoch. */
    boolean isRollbackDue() {
        return rollback.filter(GroupRollback::isDue).isPresent();
    }

    /** The iteration that blocks began after. */
    long base() {
        return rollback.map(GroupRollback::base).orElse(0L);
    }

    /** The group got its first blocks by the leader's plan. */
    void planned() {
        snapshots = newSnapshots();
        steps = newSteps();
        rollback = newRollback(Epochs.first(assignments.term().n()));
        tokens = newTokens();
    }

    /** Blocks came or went. In lock-step all roll back, so that no owner must know what another one was asked for. */
    void regrouped(long now) {
        snapshots = newSnapshots();
        steps = newSteps();
        if (rollback.isPresent()) {
            rollback = newRollback(rollback.get().epoch());
            tokens = newTokens();
            if (!assignments.blocks().isEmpty()) {
                rollback.get().lost(now);
            }
        }
    }

    /** A time step is committed. */
    void commit(CommittedStep record, SpawnerTurn turn) {
        snapshots.stepOver(record.step());
        steps.commit(record.of(graph.withSources(assignments.blocks())), turn);
    }

    /** The leader begins a new epoch; returns whether it is news, so that all blocks must get their daemons under it. */
    boolean beginEpoch(WorkerId from, RollbackMessage.BeginEpoch message, SpawnerTurn turn) {
        return rollback.filter(r -> r.rollback(from, message, turn)).isPresent();
    }

    /** These blocks wait for a daemon, or have another one. */
    void reassigned(Collection<Integer> blocks, Optional<WorkerId> leader, SpawnerTurn turn) {
        snapshots.replaced(leader, blocks, turn);
        steps.replaced(blocks, turn);
    }

    /** @param failed whether the job ends, so that blocks may have no daemon and no time step may begin */
    void tick(boolean failed, Optional<WorkerId> leader, SpawnerTurn turn) {
        snapshots.tick(turn);
        if (!failed) {
            steps.tick(turn);
        }
        rollback.ifPresent(r -> r.tick(leader, turn));
        tokens.ifPresent(t -> t.tick(turn));
    }

    int entries() {
        return snapshots.entries()
                + steps.entries()
                + rollback.map(GroupRollback::entries).orElse(0)
                + tokens.map(GroupTokens::entries).orElse(0);
    }

    private GroupSnapshots newSnapshots() {
        return new GroupSnapshots(graph, directory, config.retry(), assignments.term(), assignments.blocks());
    }

    private GroupSteps newSteps() {
        SnapshotConfig certificate = config.snapshots();
        return new GroupSteps(
                graph, directory, config.retry(), certificate.kappa() * certificate.tolerance(), assignments.blocks());
    }

    private Optional<GroupRollback> newRollback(int epoch) {
        return config.rollsBack(graph)
                ? Optional.of(
                        new GroupRollback(config.retry(), directory, assignments.term(), assignments.blocks(), epoch))
                : Optional.empty();
    }

    private Optional<GroupTokens> newTokens() {
        return config.rollsBack(graph)
                ? Optional.of(new GroupTokens(config.retry(), directory, assignments.term(), assignments.blocks()))
                : Optional.empty();
    }
}
