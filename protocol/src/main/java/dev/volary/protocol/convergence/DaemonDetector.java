// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.convergence;

import dev.volary.protocol.config.DaemonConfig;
import dev.volary.protocol.directory.BlockDirectory;
import dev.volary.protocol.machine.DaemonEvent;
import dev.volary.protocol.machine.DaemonTurn;
import dev.volary.protocol.message.DetectionMessage;
import dev.volary.protocol.model.Incarnation;
import dev.volary.protocol.model.JobGraph;
import dev.volary.protocol.model.WorkerId;
import java.util.Optional;

/**
 * A daemon's part in detecting convergence: none where snapshots alone decide, votes along a tree, or tokens. A method that a
 * detector has no use for does nothing.
 */
public sealed interface DaemonDetector permits DaemonTokens, NoDetector, TreeDetector {

    /**
     * The detector that the configuration selects.
     *
     * @param directory who serves the neighbors
     */
    static DaemonDetector of(WorkerId self, JobGraph graph, BlockDirectory directory, DaemonConfig config) {
        if (config.tree()) {
            return new TreeDetector(self, graph, directory, config.retry());
        }
        return config.rollsBack(graph) ? new DaemonTokens(config.retry()) : new NoDetector();
    }

    /** Takes how blocks pass the tests of the detector. */
    default void on(DaemonEvent.DetectionEvent event, Optional<WorkerId> owner, DaemonTurn turn) {
        switch (event) {
            case DaemonEvent.PhaseElapsed elapsed -> elapsed(elapsed, turn);
            case DaemonEvent.StepTested tested -> tested(tested, owner, turn);
        }
    }

    /** A block of this daemon is open. */
    default void opened(int block, Incarnation incarnation, DaemonTurn turn) {}

    /** A block is no longer served here. */
    default void dropped(int block) {}

    /** A block, of this daemon or another, is served under this incarnation. */
    default void served(int block, Incarnation incarnation, DaemonTurn turn) {}

    /** How a block's pseudo-period went. */
    default void elapsed(DaemonEvent.PhaseElapsed event, DaemonTurn turn) {}

    /** A block has come to an iteration that it is tested after. */
    default void tested(DaemonEvent.StepTested event, Optional<WorkerId> owner, DaemonTurn turn) {}

    /** A message from the daemon of a neighbor's block. */
    default void received(WorkerId from, DetectionMessage.Neighbor message, DaemonTurn turn) {}

    /** A command of the leader. */
    default void received(DetectionMessage.Command message, Optional<WorkerId> owner, DaemonTurn turn) {}

    /** A snapshot was taken, and the job goes on: the claim it may have been taken for was wrong. */
    default void refused(DaemonTurn turn) {}

    /** Repeats what was not answered. */
    default void tick(Optional<WorkerId> owner, DaemonTurn turn) {}

    /** Entries held. */
    default int entries() {
        return 0;
    }
}
