// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.machine;

import dev.volary.protocol.message.ProgressMessage;
import dev.volary.protocol.model.FailureVerdict;
import dev.volary.protocol.model.WorkerId;
import java.util.List;

/** What is reported to users while a job runs. */
public sealed interface JobEvent {

    /** A spawner became the leader. */
    record LeaderElected(WorkerId leader, long term) implements JobEvent {}

    /** The leader shared the blocks out. */
    record Planned(int blocks, int groups, int daemons) implements JobEvent {}

    /** All blocks iterate. */
    record AllIterating() implements JobEvent {}

    /** Progress of all daemons that reported lately. */
    record Progress(List<ProgressMessage.DaemonReport> daemons) implements JobEvent {
        public Progress {
            daemons = List.copyOf(daemons);
        }
    }

    /**
     * A snapshot was closed.
     *
     * @param sid its number
     * @param residual certified absolute residual of the recorded vector, with its rounding bound
     * @param sumOfSquares of the residual
     * @param iterations how many the blocks had completed together when they were recorded
     * @param latencyNanos from request to verdict
     */
    record SnapshotClosed(long sid, double residual, double sumOfSquares, long iterations, long latencyNanos)
            implements JobEvent {}

    /**
     * A daemon was declared dead, or left.
     *
     * @param silentNanos how long nothing was received from it; 0 if it announced that it leaves
     * @param blocks it served
     */
    record DaemonLost(WorkerId daemon, FailureVerdict.Cause cause, long silentNanos, List<Integer> blocks)
            implements JobEvent {
        public DaemonLost {
            blocks = List.copyOf(blocks);
        }
    }

    /**
     * A daemon announces that it is about to end.
     *
     * @param blocks that it has backed up for the last time, and that go elsewhere
     */
    record DaemonLeaving(WorkerId daemon, List<Integer> blocks) implements JobEvent {
        public DaemonLeaving {
            blocks = List.copyOf(blocks);
        }
    }

    /** A daemon gets blocks that another one served. */
    record BlocksReassigned(WorkerId daemon, List<Integer> blocks) implements JobEvent {
        public BlocksReassigned {
            blocks = List.copyOf(blocks);
        }
    }

    /**
     * A spawner took over blocks of another one, which is dead or has no daemon for them. Nothing that is computed pauses.
     *
     * @param n of the group's new term
     */
    record GroupTakenOver(WorkerId spawner, long n, List<Integer> blocks) implements JobEvent {
        public GroupTakenOver {
            blocks = List.copyOf(blocks);
        }
    }

    /** These blocks fit into no daemon: they wait for one. */
    record BlocksParked(List<Integer> blocks) implements JobEvent {
        public BlocksParked {
            blocks = List.copyOf(blocks);
        }
    }

    /**
     * The blocks of a group have fewer copies than asked for, because too few of its workers can hold them; with as many as
     * asked for, that is over.
     *
     * @param copies in force
     * @param wanted asked for
     */
    record Degraded(int copies, int wanted) implements JobEvent {}

    /**
     * The result of a time step is decided and never changes; another leader may emit the event again.
     *
     * @param step the step, from 1
     * @param steps of the whole job
     * @param sid the snapshot that certified it
     * @param residual certified bound of its absolute residual
     */
    record StepCommitted(int step, int steps, long sid, double residual) implements JobEvent {}

    /**
     * There is a newer checkpoint on the volume.
     *
     * @param sid the snapshot that it is
     * @param step that is committed in it; 0 for a stationary problem
     * @param residual certified absolute residual of its vector
     */
    record CheckpointSaved(long sid, int step, double residual) implements JobEvent {}

    /** A snapshot could not be made a checkpoint; the job goes on, and the ones before are still there. */
    record CheckpointFailed(long sid, String reason) implements JobEvent {}

    /**
     * A job with a deadline has reached a better answer than before, and keeps its parts until there is a better one.
     *
     * @param sid the snapshot
     * @param residual certified absolute residual of its vector
     * @param iterations of a block on average, when it was recorded
     */
    record AnswerKept(long sid, double residual, long iterations) implements JobEvent {}

    /**
     * The leader withdrew its verdict on a certified snapshot, because parts of it were lost before the result was complete, or no
     * spawner took them in time. The next snapshot follows.
     */
    record VerdictWithdrawn(long sid, String reason) implements JobEvent {}

    /** A second spawner holds the complete result. */
    record ResultCopied(WorkerId to) implements JobEvent {}

    /** Only the leader holds the result: no other spawner could take a copy in time. */
    record ResultNotCopied(String reason) implements JobEvent {}

    /**
     * The result is durable in the storage that the job names.
     *
     * @param location where users find it
     */
    record ResultPublished(String location) implements JobEvent {}

    /**
     * The result could not be brought to the storage that the job names.
     *
     * @param isFinal whether the leader has given up: the result stays with the spawners until it is fetched
     */
    record PublicationFailed(String reason, boolean isFinal) implements JobEvent {}

    /**
     * A synchronous job rolls back, because a block has lost its daemon.
     *
     * @param epoch that begins
     * @param iteration of the newest checkpoint that all blocks can restore; 0 if there is none
     */
    record RolledBack(int epoch, long iteration) implements JobEvent {}

    /** All local hints are small and the certified residual is not: typical of a dead link. */
    record LocallyStalled(double largestHint, double residual) implements JobEvent {}
}
