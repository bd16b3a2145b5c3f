// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.display;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a watcher sees of a running job at one moment. Lists only grow from one view to the next, except for the daemons.
 *
 * @param job the job's name
 * @param problem the kind of problem
 * @param scheme the scheme
 * @param phase where the job stands
 * @param elapsed since the run started
 * @param tolerance bound of the relative residual
 * @param daemons one row for each daemon
 * @param history every snapshot so far
 * @param events everything that happened so far
 * @param steps how far a problem that marches in time is
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
        List<JobEvent> events,
        StepProgress steps) {

    /** Of a stationary problem. */
    public JobView(
            String job,
            String problem,
            String scheme,
            Phase phase,
            Duration elapsed,
            double tolerance,
            List<DaemonRow> daemons,
            List<SnapshotPoint> history,
            List<JobEvent> events) {
        this(job, problem, scheme, phase, elapsed, tolerance, daemons, history, events, StepProgress.NONE);
    }

    public JobView {
        daemons = List.copyOf(daemons);
        history = List.copyOf(history);
        events = List.copyOf(events);
    }

    /** Where a job stands. */
    public enum Phase {
        STARTING("starting workers"),
        PLANNING("forming groups and planning"),
        COMPUTING("computing"),
        COMMITTING("writing the result"),
        CERTIFIED("certified"),
        NOT_CONVERGED("not converged"),
        FAILED("failed"),
        INTERRUPTED("interrupted");

        private final String words;

        Phase(String words) {
            this.words = words;
        }

        /** What a user reads. */
        public String words() {
            return words;
        }
    }

    /** What a daemon does. */
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
     * @param iterationsPerSecond of all its blocks, lately
     * @param iterations of all its blocks, added
     * @param haloAge age of the oldest halo in use
     * @param haloAgeIterations the same in iterations of its sender
     * @param localResidual a hint, in the units of the relative residual; it certifies nothing; NaN before the first
     * @param backups workers that keep copies of its blocks
     * @param state what it does
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
     * @param residual certified, relative
     */
    public record SnapshotPoint(Duration time, long snapshot, double residual) {}

    /**
     * Something that happened.
     *
     * @param time since the run started
     * @param isProblem whether it should stand out
     * @param text a sentence
     * @param type the same for programs: a word or two; empty if there is none
     * @param details strings, numbers, booleans and lists of them
     */
    public record JobEvent(Duration time, boolean isProblem, String text, String type, Map<String, Object> details) {
        public JobEvent {
            details = new LinkedHashMap<>(details);
        }

        /** One for people alone. */
        public JobEvent(Duration time, boolean isProblem, String text) {
            this(time, isProblem, text, "", Map.of());
        }
    }
}
