// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.message;

import dev.volary.protocol.model.CheckpointGeneration;
import dev.volary.protocol.model.GroupTerm;
import java.util.List;
import java.util.Optional;

/**
 * Coordinated checkpoints and rollback of the synchronous scheme (docs/explanation/time-steps-and-rollback.md, "rollback in the
 * synchronous scheme"). An epoch begins with the plan and with each rollback; a message of another epoch is ignored. A worker that
 * waits for an answer repeats its question.
 */
public sealed interface RollbackMessage {

    /** From the leader to spawners, and from these to their daemons. */
    sealed interface Command extends RollbackMessage, ToDaemon, ToSpawner {}

    /** Take a checkpoint after exactly this iteration, into this slot. Leader to spawners to daemons. */
    record TakeCheckpoint(int epoch, int slot, long iteration) implements Command {}

    /** All blocks go on from this checkpoint; from the start if there is none. Leader to spawners to daemons. */
    record ResumeFrom(int epoch, Optional<CheckpointGeneration> from) implements Command {}

    /** From a daemon to its spawner. */
    sealed interface DaemonReply extends RollbackMessage, ToSpawner {}

    /** A block's checkpoint is durable, or will not be. Daemon to spawner. */
    record CheckpointTaken(int epoch, int block, long iteration, boolean stored) implements DaemonReply {}

    /** What a block can be restored from. Daemon to spawner, until {@link ResumeFrom}. */
    record BlockGenerations(int epoch, int block, List<CheckpointGeneration> generations) implements DaemonReply {
        public BlockGenerations {
            generations = List.copyOf(generations);
        }
    }

    /** From a spawner to the leader, for all blocks of its group; also what it passes on from a daemon. */
    sealed interface GroupReply extends RollbackMessage, ToLeader {}

    /**
     * A checkpoint is worth its cost. Daemon to spawner to leader, until there is one.
     *
     * @param iteration the newest of the daemon's blocks
     * @param ahead iterations after which the order will have reached all
     */
    record CheckpointDue(int epoch, long iteration, long ahead) implements GroupReply {}

    /** All blocks of a group are durable, or one of them will not be. Spawner to leader. */
    record GroupCheckpoint(GroupTerm term, int epoch, long iteration, boolean stored) implements GroupReply {}

    /** A group has blocks without a daemon: all must roll back. Spawner to leader, until a later epoch begins. */
    record RollbackRequest(GroupTerm term, int epoch) implements GroupReply {}

    /** What all blocks of a group can be restored from. Spawner to leader, until {@link ResumeFrom}. */
    record GroupGenerations(GroupTerm term, int epoch, List<CheckpointGeneration> generations) implements GroupReply {
        public GroupGenerations {
            generations = List.copyOf(generations);
        }
    }

    /** A new epoch begins: all blocks get incarnations of it. Leader to spawners, until they report what they can restore. */
    record BeginEpoch(int epoch) implements RollbackMessage, ToSpawner {}
}
