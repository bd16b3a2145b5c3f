// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.pod;

import dev.volary.protocol.machine.JobEvent;
import dev.volary.protocol.progress.EndForecast;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * When the job will probably end, from what the leader has seen: each leader begins without history. Of a long job it
 * remembers fewer and fewer of the older snapshots. Times are milliseconds since the epoch.
 */
final class EndPrediction {
    private static final int MOST_POINTS = 512;

    private final List<EndForecast.Point> history = new ArrayList<>();
    private Optional<Commit> first = Optional.empty();
    private Optional<Commit> newest = Optional.empty();

    private record Commit(JobEvent.StepCommitted step, Duration at) {}

    void snapshotClosed(double residual, long now) {
        history.add(new EndForecast.Point(Duration.ofMillis(now), residual));
        if (history.size() > MOST_POINTS) {
            List<EndForecast.Point> all = List.copyOf(history);
            history.clear();
            for (int i = 0; i < all.size(); i++) {
                if (i >= all.size() / 2 || i % 2 == 0) {
                    history.add(all.get(i));
                }
            }
        }
    }

    void stepCommitted(JobEvent.StepCommitted step, long now) {
        newest = Optional.of(new Commit(step, Duration.ofMillis(now)));
        first = first.or(() -> newest);
    }

    /**
     * When the job will probably end; empty while nothing can be said.
     *
     * @param tolerance absolute, as residuals are
     */
    Optional<Long> end(boolean hasTimeSteps, double tolerance) {
        Optional<Duration> end = hasTimeSteps
                ? first.flatMap(from -> newest.flatMap(to -> EndForecast.bySteps(
                        from.at(),
                        to.at(),
                        to.step().step() - from.step().step(),
                        to.step().steps() - to.step().step())))
                : EndForecast.byResiduals(history, tolerance);
        return end.map(Duration::toMillis);
    }
}
