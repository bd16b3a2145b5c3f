// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.progress;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Predicts when a job reaches its tolerance. Time steps are taken to last as long as those so far. Without them the logarithm of the
 * certified residual is taken to fall as it did, on average, since half of the time from the first snapshot to the last: by a
 * line of least squares, since the residual of an asynchronous iteration jumps. Times count from any moment, the same for all.
 */
public final class EndForecast {
    private static final int FEWEST_SNAPSHOTS = 4;
    private static final int FEWEST_STEPS = 2;

    private EndForecast() {}

    /** A snapshot: when it closed, and its certified residual in the norm of the tolerance. */
    public record Point(Duration time, double residual) {}

    /** When the residual reaches the tolerance; empty while nothing can be said, or if the residual does not fall. */
    public static Optional<Duration> byResiduals(List<Point> history, double tolerance) {
        if (history.size() < FEWEST_SNAPSHOTS) {
            return Optional.empty();
        }
        double first = seconds(history.getFirst().time());
        double last = seconds(history.getLast().time());
        List<Point> newest = history.stream()
                .filter(point -> last - seconds(point.time()) <= (last - first) / 2)
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
        for (Point point : newest) {
            double offset = seconds(point.time()) - meanTime;
            products += offset * (Math.log(point.residual()) - meanLog);
            squares += offset * offset;
        }
        double slope = products / squares;
        return slope < 0 ? duration(meanTime + (Math.log(tolerance) - meanLog) / slope) : Optional.empty();
    }

    /**
     * When the last of {@code steps} time steps is committed; empty while nothing can be said.
     *
     * @param since when the first of the {@code done} steps began
     * @param now when the newest of them was committed, or later
     */
    public static Optional<Duration> bySteps(Duration since, Duration now, int done, int left) {
        return done < FEWEST_STEPS
                ? Optional.empty()
                : duration(seconds(now) + seconds(now.minus(since)) / done * left);
    }

    private static Optional<Duration> duration(double seconds) {
        return Double.isFinite(seconds) && seconds < Integer.MAX_VALUE
                ? Optional.of(Duration.ofMillis(Math.round(1e3 * seconds)))
                : Optional.empty();
    }

    private static double seconds(Duration time) {
        return time.toNanos() / 1e9;
    }
}
