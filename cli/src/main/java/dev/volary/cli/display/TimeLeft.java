// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.display;

import dev.volary.cli.console.Units;
import dev.volary.protocol.progress.EndForecast;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** How long a job will probably compute. */
final class TimeLeft {
    private TimeLeft() {}

    /** From {@code now} to the tolerance; empty while nothing can be said, or if the residual does not fall. */
    static Optional<Duration> of(JobView view, Duration now) {
        List<JobView.SnapshotPoint> history = view.history();
        if (view.phase() != JobView.Phase.COMPUTING || history.isEmpty()) {
            return Optional.empty();
        }
        StepProgress steps = view.steps();
        Optional<Duration> end = steps.hasTimeSteps()
                ? EndForecast.bySteps(history.getFirst().time(), now, steps.committed(), steps.of() - steps.committed())
                : EndForecast.byResiduals(
                        history.stream()
                                .map(point -> new EndForecast.Point(point.time(), point.residual()))
                                .toList(),
                        view.tolerance());
        return end.map(at -> at.compareTo(now) > 0 ? at.minus(now) : Duration.ZERO);
    }

    /** For people, to end a line: {@code , about 3 s left}; empty if nothing can be said. */
    static String text(JobView view, Duration now) {
        return of(view, now)
                .map(left -> ", about " + Units.roughly(left) + " left")
                .orElse("");
    }
}
