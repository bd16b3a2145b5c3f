// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.message;

import dev.volary.protocol.model.GroupTerm;

/**
 * Convergence detection by tokens or by a verification tree, if chosen (docs/explanation/convergence-detection.md).
 */
public sealed interface DetectionMessage {

    /** From the leader to spawners, and from these to their daemons. */
    sealed interface Command extends DetectionMessage, ToDaemon, ToSpawner {}

    /** Have your blocks passed the test after this iteration? Leader to spawners to daemons. */
    record TestQuery(int epoch, long iteration) implements Command {}

    /** Blocks that wait at this test, or an earlier one, go on. Leader to spawners to daemons. */
    record Proceed(int epoch, long iteration) implements Command {}

    /** From a daemon or its spawner to the leader. */
    sealed interface Report extends DetectionMessage, ToLeader {}

    /** A block has passed its test after this iteration and waits. Daemon to spawner to leader, until {@link Proceed}. */
    record TestPassed(int epoch, long iteration) implements Report {}

    /** All blocks of a group have passed and wait, or one has not. Spawner to leader. */
    record GroupTestAnswer(GroupTerm term, int epoch, long iteration, boolean passed) implements Report {}

    /** All blocks have passed a verification. Daemon to spawner to leader, until a snapshot decides. */
    record ConvergenceClaim(int phase) implements Report {}

    /** From the daemon of a block to that of a neighbor. */
    sealed interface Neighbor extends DetectionMessage, ToDaemon {}

    /**
     * What block {@code from} sends its neighbor {@code to} in the verification tree. Repeated until {@link VoteAck}.
     *
     * @param phase even for normal ones, odd for verifications
     */
    record Vote(int from, int to, VoteKind kind, int phase) implements Neighbor {}

    /** The vote was taken, or is void. */
    record VoteAck(Vote vote) implements Neighbor {}

    /** One block's answer. Daemon to spawner. */
    record TestAnswer(int epoch, int block, long iteration, boolean passed) implements DetectionMessage, ToSpawner {}

    /** What blocks send each other in the verification tree. */
    enum VoteKind {
        /** My part of the tree has converged. */
        PARTIAL,
        /** Verify that you have: this phase begins. */
        VERIFY,
        /** My part of the tree has passed. */
        PASSED,
        /** A block of my part has not. */
        FAILED,
        /** This normal phase begins: a verification failed, or a block was reassigned. */
        RESTART
    }
}
