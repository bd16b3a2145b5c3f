// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.display;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a display shows of a running job at one moment.
 *
 * @param job name of the job
 * @param problem type of the problem
 * @param scheme the scheme
 * @param phase phase of the job
 * @param elapsed time since the run started
 * @param tolerance relative tolerance
 * @param daemons one row for each daemon
 * @param history snapshots so far, thinned out in long jobs; the newest is the last
 * @param snapshots those since the view before
 * @param events since the view before
 * @param steps progress in time steps
 */
public record JobView(
        String job,
        String problem,
        String scheme,
        Phase phase,
        Duration elapsed,
        double tolerance,
        List<DaemonRow> daemons,
        List<SnapshotPoint> history,
        List<SnapshotPoint> snapshots,
        List<JobEvent> events,
        StepProgress steps) {

    public JobView {
        daemons = List.copyOf(daemons);
        history = List.copyOf(history);
        snapshots = List.copyOf(snapshots);
        events = List.copyOf(events);
    }

    /** Phase of a run. */
    public enum Phase {
        STARTING("starting workers"),
        PLANNING("forming groups and planning"),
        COMPUTING("computing"),
        COMMITTING("writing the result"),
        CERTIFIED("certified"),
        NOT_CONVERGED("not converged"),
        FAILED("failed"),
        INTERRUPTED("interrupted");

        private final String label;

        Phase(String label) {
            this.label = label;
        }

        /** The name of the phase, for people. */
        public String label() {
            return label;
        }
    }

    /** State of a daemon. */
    public enum DaemonState {
        STARTING,
        WAITING,
        COMPUTING,
        DONE,
        LOST
    }

    /**
     * One daemon.
     *
     * @param name its identity
     * @param blocks the blocks it computes
     * @param iterationsPerSecond recent rate of all its blocks together
     * @param iterations of all its blocks together
     * @param haloAge age of the oldest halo in use
     * @param haloAgeIterations the same age in iterations of its sender
     * @param localResidual residual hint, relative; NaN before the first
     * @param backups workers that hold backups of its blocks
     * @param state its state
     */
    public record DaemonRow(
            String name,
            List<Integer> blocks,
            double iterationsPerSecond,
            long iterations,
            Duration haloAge,
            double haloAgeIterations,
            double localResidual,
            List<String> backups,
            DaemonState state) {

        public DaemonRow {
            blocks = List.copyOf(blocks);
            backups = List.copyOf(backups);
        }
    }

    /**
     * A snapshot.
     *
     * @param time since the run started
     * @param snapshot its number
     * @param residual certified residual, relative
     * @param iterations how many the blocks had completed together when they were recorded
     */
    public record SnapshotPoint(Duration time, long snapshot, double residual, long iterations) {}

    /**
     * An event of a run.
     *
     * @param time since the run started
     * @param isProblem whether it is highlighted as a warning
     * @param text a sentence for people
     * @param type event type for programs; empty if there is none
     * @param details fields of the event for programs: strings, numbers, booleans and lists of them
     */
    public record JobEvent(Duration time, boolean isProblem, String text, String type, Map<String, Object> details) {
        public JobEvent {
            details = new LinkedHashMap<>(details);
        }

        /** An event for people only. */
        public JobEvent(Duration time, boolean isProblem, String text) {
            this(time, isProblem, text, "", Map.of());
        }
    }
}
