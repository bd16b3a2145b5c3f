// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol;

import java.util.List;
import java.util.Optional;

/**
 * Control messages between workers: reliable, in order on each link, and idempotent. Halo values do not travel here; they
 * have slots of their own on the bulk connection.
 */
public sealed interface Message permits ToDaemon, ToSpawner {

    // ---- in lock-step: checkpoints, rollbacks, detection (docs/explanation/time-steps-and-rollback.md, "rollback in
    // the synchronous scheme")

    /**
     * What the synchronous scheme needs beyond the asynchronous one. An epoch begins with the plan and with each rollback;
     * what belongs to another epoch is not heard. Whoever waits for an answer repeats its question.
     */
    sealed interface InStep {

        /**
         * A checkpoint is worth its cost. Daemon to spawner to lead, until there is one.
         *
         * @param iteration the newest of the daemon's blocks
         * @param ahead so many iterations later all will have heard of it
         */
        record CheckpointDue(int epoch, long iteration, long ahead) implements InStep, ToLeader {}

        /** Take a checkpoint after exactly this iteration, into this slot. Lead to spawners to daemons. */
        record TakeCheckpoint(int epoch, int slot, long iteration) implements InStep, ToDaemon, ToSpawner {}

        /** A block's checkpoint is durable, or will not be. Daemon to spawner. */
        record CheckpointTaken(int epoch, int block, long iteration, boolean stored) implements InStep, ToSpawner {}

        /** All blocks of a group are durable, or one of them will not be. Spawner to lead. */
        record GroupCheckpoint(GroupTerm term, int epoch, long iteration, boolean stored) implements InStep, ToLeader {}

        /** A group has blocks without a daemon: all must go back. Spawner to lead, until a later epoch begins. */
        record RollbackRequest(GroupTerm term, int epoch) implements InStep, ToLeader {}

        /** A new epoch begins: all blocks get incarnations of it. Lead to spawners, until they say what they can restore. */
        record BeginEpoch(int epoch) implements InStep, ToSpawner {}

        /** What a block can be restored from. Daemon to spawner, until it is told. */
        record BlockGenerations(int epoch, int block, List<CheckpointGeneration> generations)
                implements InStep, ToSpawner {
            public BlockGenerations {
                generations = List.copyOf(generations);
            }
        }

        /** What all blocks of a group can be restored from. Spawner to lead, until it is told. */
        record GroupGenerations(GroupTerm term, int epoch, List<CheckpointGeneration> generations)
                implements InStep, ToLeader {
            public GroupGenerations {
                generations = List.copyOf(generations);
            }
        }

        /** All blocks go on from this checkpoint; from the start if there is none. Lead to spawners to daemons. */
        record ResumeFrom(int epoch, Optional<CheckpointGeneration> from) implements InStep, ToDaemon, ToSpawner {}

        /** A block has passed its test after this iteration and waits. Daemon to spawner to lead, until {@link Proceed}. */
        record TestPassed(int epoch, long iteration) implements InStep, ToLeader {}

        /** Have your blocks passed the test after this iteration? Lead to spawners to daemons. */
        record TestQuery(int epoch, long iteration) implements InStep, ToDaemon, ToSpawner {}

        /** One block's answer. Daemon to spawner. */
        record TestAnswer(int epoch, int block, long iteration, boolean passed) implements InStep, ToSpawner {}

        /** All blocks of a group have passed and wait, or one has not. Spawner to lead. */
        record GroupTestAnswer(GroupTerm term, int epoch, long iteration, boolean passed) implements InStep, ToLeader {}

        /** Blocks that wait at this test, or an earlier one, go on. Lead to spawners to daemons. */
        record Proceed(int epoch, long iteration) implements InStep, ToDaemon, ToSpawner {}
    }

    // ---- detection in the asynchronous scheme, if chosen (docs/explanation/convergence-detection.md, "the
    // verification tree")

    /**
     * What block {@code from} tells its neighbour {@code to} in the verification tree. Repeated until {@link VoteAck}.
     *
     * @param phase even for normal ones, odd for verifications
     */
    record Vote(int from, int to, VoteKind kind, int phase) implements ToDaemon {}

    /** What blocks tell each other in the verification tree. */
    enum VoteKind {
        /** My part of the tree has converged. */
        PARTIAL,
        /** Verify that you have: this phase begins. */
        VERIFY,
        /** My part of the tree has passed. */
        PASSED,
        /** A block of my part has not. */
        FAILED,
        /** This normal phase begins: a verification failed, or a block is served anew. */
        RESTART
    }

    /** The vote was heard, or is void. */
    record VoteAck(Vote vote) implements ToDaemon {}

    /** All blocks have passed a verification. Daemon to spawner to lead, until a snapshot says more. */
    record ConvergenceClaim(int phase) implements ToLeader {}

    // ---- the end ---------------------------------------------------------------------------------------------------

    /** Stop computing; the job is over. */
    record Stop(Optional<String> reason) implements ToDaemon, ToSpawner {}
}
