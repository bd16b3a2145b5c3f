// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.spawner;

import dev.volary.protocol.machine.SpawnerTurn;
import dev.volary.protocol.message.BlockMessage;
import dev.volary.protocol.message.DetectionMessage;
import dev.volary.protocol.message.RollbackMessage;
import dev.volary.protocol.message.SnapshotMessage;
import dev.volary.protocol.message.StepMessage;
import dev.volary.protocol.model.WorkerId;
import dev.volary.protocol.snapshot.GroupSnapshots;
import dev.volary.protocol.stepping.RecoveredSteps;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * Passes messages about the group's blocks to the part that handles them, and what daemons answer to the leader's orders only if
 * there is a leader that takes the group's answer.
 */
final class GroupDispatcher {
    private final OwnedGroup group;
    private final SpawnerLeadership leadership;
    private final RecoveredSteps recoveredSteps;

    /** @param recoveredSteps what the group's daemons know of commits */
    GroupDispatcher(OwnedGroup group, SpawnerLeadership leadership, RecoveredSteps recoveredSteps) {
        this.group = group;
        this.leadership = leadership;
        this.recoveredSteps = recoveredSteps;
    }

    void received(WorkerId from, BlockMessage.Report message, SpawnerTurn turn) {
        switch (message) {
            case BlockMessage.DirectoryAck ack ->
                group.blocks().ifPresent(own -> own.assignments().acknowledged(from, ack.version()));
            case BlockMessage.DirectoryRequest request ->
                group.blocks().ifPresent(own -> own.assignments().sendDirectory(from, turn));
            case BlockMessage.BlockFailed failed -> {
                if (failed.fatal()) {
                    leadership.forward(from, failed, turn);
                } else {
                    group.failed(from, failed, turn);
                }
            }
        }
    }

    void received(WorkerId from, BlockMessage.DirectoryUpdate update, SpawnerTurn turn) {
        turn.send(from, new BlockMessage.DirectoryAck(update.version()));
        group.merge(update.entries(), turn);
    }

    void received(WorkerId from, SnapshotMessage.Command message, SpawnerTurn turn) {
        group.blocks().ifPresent(own -> command(own.coordination().snapshots(), from, message, turn));
    }

    private static void command(
            GroupSnapshots snapshots, WorkerId leader, SnapshotMessage.Command message, SpawnerTurn turn) {
        switch (message) {
            case SnapshotMessage.RecordBlocks request -> snapshots.request(leader, request.step(), request.sid(), turn);
            case SnapshotMessage.Reevaluate recheck -> snapshots.recheck(recheck, turn);
            case SnapshotMessage.SnapshotStore store -> snapshots.store(leader, store.sid(), turn);
            case SnapshotMessage.Discard verdict -> snapshots.close(verdict.sid(), verdict, turn);
        }
    }

    void received(WorkerId from, SnapshotMessage.DaemonReply message, SpawnerTurn turn) {
        switch (message) {
            case SnapshotMessage.SnapshotPart part ->
                answering(
                        own -> Optional.of(own.coordination().snapshots()),
                        (snapshots, leader) -> snapshots.part(leader, part, turn));
            case SnapshotMessage.SnapshotStored stored -> {
                int step = group.blocks()
                        .map(own -> own.coordination().snapshots().stepOf(stored.sid()))
                        .orElse(0);
                recoveredSteps.stored(step, stored);
                answering(
                        own -> Optional.of(own.coordination().snapshots()),
                        (snapshots, leader) -> snapshots.stored(leader, stored, turn));
            }
            case SnapshotMessage.StoreFailed failed -> leadership.forward(from, failed, turn);
        }
    }

    void received(StepMessage message, SpawnerTurn turn) {
        switch (message) {
            case StepMessage.StepCommit commit -> {
                recoveredSteps.committed(commit.record());
                group.blocks().ifPresent(own -> own.commit(commit.record(), turn));
            }
            case StepMessage.KnownSteps known -> recoveredSteps.known(known);
        }
    }

    void received(RollbackMessage.Command message, SpawnerTurn turn) {
        answering(own -> own.coordination().rollback(), (rollback, leader) -> rollback.received(message, leader, turn));
    }

    void received(WorkerId from, RollbackMessage.DaemonReply message, SpawnerTurn turn) {
        answering(
                own -> own.coordination().rollback(),
                (rollback, leader) -> rollback.received(from, message, leader, turn));
    }

    void received(DetectionMessage.Command message, SpawnerTurn turn) {
        answering(own -> own.coordination().tokens(), (tokens, leader) -> tokens.received(message, leader, turn));
    }

    void received(DetectionMessage.TestAnswer message, SpawnerTurn turn) {
        answering(own -> own.coordination().tokens(), (tokens, leader) -> tokens.answered(leader, message, turn));
    }

    /** Uses a part of the group that the job has, with the leader that takes its answers, if there is one. */
    private <T> void answering(Function<BlockGroup, Optional<T>> part, BiConsumer<T, WorkerId> use) {
        leadership
                .reachableLeader()
                .ifPresent(leader -> group.blocks().flatMap(part).ifPresent(its -> use.accept(its, leader)));
    }
}
