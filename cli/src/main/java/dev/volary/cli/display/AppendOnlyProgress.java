// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.display;

import java.util.List;
import java.util.Optional;

/** Remembers what was shown, so that a display that can only append shows everything once. */
final class AppendOnlyProgress {
    private Optional<JobView.Phase> phase = Optional.empty();
    private int events;
    private int snapshots;

    /**
     * The changes since the last view.
     *
     * @param phase the phase, if it changed
     * @param events since the last view
     * @param snapshots since the last view
     */
    record News(Optional<JobView.Phase> phase, List<JobView.JobEvent> events, List<JobView.SnapshotPoint> snapshots) {}

    News take(JobView view) {
        Optional<JobView.Phase> changed =
                phase.equals(Optional.of(view.phase())) ? Optional.empty() : Optional.of(view.phase());
        News news = new News(
                changed,
                view.events()
                        .subList(
                                Math.min(events, view.events().size()),
                                view.events().size()),
                view.history()
                        .subList(
                                Math.min(snapshots, view.history().size()),
                                view.history().size()));
        phase = Optional.of(view.phase());
        events = view.events().size();
        snapshots = view.history().size();
        return news;
    }
}
