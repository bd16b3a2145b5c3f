// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.display;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Predicts how long a job will compute. Time steps are taken to last as long as those so far. Without them the logarithm of the
 * certified residual is taken to fall as it did, on average, since half of the time from the first snapshot to the last: by a
 * line of least squares, since the residual of an asynchronous iteration jumps.
 */
final class TimeLeft {
    private static final int FEWEST_SNAPSHOTS = 4;
    private static final int FEWEST_STEPS = 2;

    private TimeLeft() {}

    /** From {@code now} to the tolerance; empty while nothing can be said, or if the residual does not fall. */
    static Optional<Duration> of(JobView view, Duration now) {
        List<JobView.SnapshotPoint> history = view.history();
        if (view.phase() != JobView.Phase.COMPUTING || history.isEmpty()) {
            return Optional.empty();
        }
        double since = seconds(now.minus(history.getFirst().time()));
        StepProgress steps = view.steps();
        if (steps.hasTimeSteps()) {
            return steps.committed() < FEWEST_STEPS
                    ? Optional.empty()
                    : duration(since / steps.committed() * (steps.of() - steps.committed()));
        }
        if (history.size() < FEWEST_SNAPSHOTS) {
            return Optional.empty();
        }
        Duration end = history.getLast().time();
        double half = seconds(end.minus(history.getFirst().time())) / 2;
        List<JobView.SnapshotPoint> newest = history.stream()
                .filter(point -> seconds(end.minus(point.time())) <= half)
                .toList();
        double meanTime = newest.stream()
                .mapToDouble(point -> seconds(point.time()))
                .average()
                .orElseThrow();
        double meanLog = newest.stream()
                .mapToDouble(point -> Math.log(point.residual()))
                .average()
                .orElseThrow();
        double products = 0;
        double squares = 0;
        for (JobView.SnapshotPoint point : newest) {
            double offset = seconds(point.time()) - meanTime;
            products += offset * (Math.log(point.residual()) - meanLog);
            squares += offset * offset;
        }
        double slope = products / squares;
        double atTolerance = meanTime + (Math.log(view.tolerance()) - meanLog) / slope;
        return slope < 0 ? duration(atTolerance - seconds(now)) : Optional.empty();
    }

    /** For people, to end a line: {@code , about 3 s left}; empty if nothing can be said. */
    static String text(JobView view, Duration now) {
        return of(view, now).map(left -> ", about " + rounded(left) + " left").orElse("");
    }

    /** In whole seconds or minutes: it is a guess. */
    private static String rounded(Duration left) {
        long seconds = Math.max(1, Math.round(seconds(left)));
        if (seconds < 100) {
            return seconds + " s";
        }
        long minutes = Math.round(seconds / 60.0);
        return minutes < 100 ? minutes + " min" : Math.round(seconds / 3600.0) + " h";
    }

    private static Optional<Duration> duration(double seconds) {
        return Double.isFinite(seconds) && seconds < Integer.MAX_VALUE
                ? Optional.of(Duration.ofMillis(Math.round(1e3 * Math.max(0, seconds))))
                : Optional.empty();
    }

    private static double seconds(Duration time) {
        return time.toNanos() / 1e9;
    }
}
