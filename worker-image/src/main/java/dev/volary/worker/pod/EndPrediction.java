// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.pod;

import dev.volary.protocol.machine.JobEvent;
import dev.volary.protocol.progress.EndForecast;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * When the job will probably end, from what the leader has seen: it starts anew with each leader. Of a long job it remembers fewer
 * and fewer of the older snapshots. Times are milliseconds since the epoch.
 */
final class EndPrediction {
    private static final int MOST_POINTS = 512;

    private final List<EndForecast.Point> history = new ArrayList<>();
    private Optional<JobEvent.StepCommitted> firstStep = Optional.empty();
    private long firstStepAt;
    private Optional<JobEvent.StepCommitted> newestStep = Optional.empty();
    private long newestStepAt;

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
        if (firstStep.isEmpty()) {
            firstStep = Optional.of(step);
            firstStepAt = now;
        }
        newestStep = Optional.of(step);
        newestStepAt = now;
    }

    /**
     * When the job will probably end; empty while nothing can be said.
     *
     * @param tolerance absolute, as residuals are
     */
    Optional<Long> end(boolean hasTimeSteps, double tolerance) {
        Optional<Duration> end = hasTimeSteps
                ? newestStep.flatMap(newest -> EndForecast.bySteps(
                        Duration.ofMillis(firstStepAt),
                        Duration.ofMillis(newestStepAt),
                        newest.step() - firstStep.orElseThrow().step(),
                        newest.steps() - newest.step()))
                : EndForecast.byResiduals(history, tolerance);
        return end.map(Duration::toMillis);
    }
}
