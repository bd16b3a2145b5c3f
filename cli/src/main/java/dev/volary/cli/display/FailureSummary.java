// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.display;

import dev.volary.cli.console.Units;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The failures that a run survived, and what they cost.
 *
 * @param provoked workers that fault injection ended or paused
 * @param ended worker processes that ended before the job did
 * @param lost daemons that were declared dead, or left
 * @param detections time from the last sign of a daemon to the verdict, one for each verdict
 * @param standstills time from the failure of a daemon until one of its blocks iterated again, one for each block and loss
 * @param lostIterations iterations that restored blocks had to repeat, estimated from progress reports
 * @param shareStoodStill share of the computing time of all blocks during which they stood still
 * @param shareComputedAgain share of all iterations that were computed again
 * @param cost in processor time; empty if it could not be measured
 */
public record FailureSummary(
        int provoked,
        int ended,
        int lost,
        List<Duration> detections,
        List<Duration> standstills,
        long lostIterations,
        double shareStoodStill,
        double shareComputedAgain,
        Optional<Cost> cost) {

    /**
     * What processes that ended cost in processor time.
     *
     * @param undisturbed updates of single unknowns per core-second before the first of them ended, or between two of them
     * @param since the same since the first of them ended
     * @param coreSeconds what each of them cost; slightly negative where it is lost in the noise
     */
    public record Cost(double undisturbed, double since, double coreSeconds) {}

    /** The summary of a run without failures. */
    public static final FailureSummary NONE =
            new FailureSummary(0, 0, 0, List.of(), List.of(), 0, 0, 0, Optional.empty());

    public FailureSummary {
        detections = detections.stream().sorted().toList();
        standstills = standstills.stream().sorted().toList();
    }

    /** Whether there was any failure. */
    public boolean isEventful() {
        return provoked + ended + lost > 0;
    }

    /** Estimated share of the computing time that failures cost, if a lost iteration takes as long as an average one. */
    public double overhead() {
        return shareStoodStill + shareComputedAgain;
    }

    private static String percent(double share) {
        return String.format(Locale.ROOT, "%.2g %%", 100 * share);
    }

    /** The lines of the summary for people: a label and a text each. */
    Map<String, String> lines() {
        Map<String, String> lines = new LinkedHashMap<>();
        List<String> failures = new ArrayList<>();
        if (provoked > 0) {
            failures.add(provoked + " injected");
        }
        failures.add(count(ended, "process", "processes") + " ended");
        failures.add(count(lost, "daemon", "daemons") + " lost");
        lines.put("failures", String.join(", ", failures));
        if (!detections.isEmpty()) {
            lines.put(
                    "detected after",
                    "median " + Units.time(median(detections).orElseThrow()) + ", longest "
                            + Units.time(detections.getLast()));
        }
        if (!standstills.isEmpty()) {
            lines.put(
                    "blocks stood still",
                    "median " + Units.time(median(standstills).orElseThrow()) + ", longest "
                            + Units.time(standstills.getLast()));
            lines.put("lost iterations", "about " + Units.grouped(lostIterations));
            lines.put(
                    "overhead",
                    "about " + percent(overhead()) + ": " + percent(shareStoodStill) + " standstill, "
                            + percent(shareComputedAgain) + " repeated iterations");
        }
        cost.ifPresent(c -> lines.put(
                "cost of each",
                String.format(
                        Locale.ROOT,
                        "about %.1f core-seconds: %s updates per core-second, undisturbed %s",
                        Math.max(0, c.coreSeconds()),
                        Units.count(c.since()),
                        Units.count(c.undisturbed()))));
        return lines;
    }

    /** The JSON object for programs. */
    Map<String, Object> json() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("provoked", provoked);
        json.put("processes_ended", ended);
        json.put("daemons_lost", lost);
        json.put("detection_median_s", median(detections).map(FailureSummary::seconds));
        json.put("detection_longest_s", longest(detections).map(FailureSummary::seconds));
        json.put("standstill_median_s", median(standstills).map(FailureSummary::seconds));
        json.put("standstill_longest_s", longest(standstills).map(FailureSummary::seconds));
        json.put("standstill_share", shareStoodStill);
        json.put("lost_iterations", lostIterations);
        json.put("overhead_estimate", overhead());
        json.put("core_seconds_each", cost.map(Cost::coreSeconds));
        json.put("updates_per_core_s", cost.map(Cost::since));
        json.put("updates_per_core_s_undisturbed", cost.map(Cost::undisturbed));
        return json;
    }

    private static Optional<Duration> median(List<Duration> sorted) {
        return sorted.isEmpty() ? Optional.empty() : Optional.of(sorted.get(sorted.size() / 2));
    }

    private static Optional<Duration> longest(List<Duration> sorted) {
        return sorted.isEmpty() ? Optional.empty() : Optional.of(sorted.getLast());
    }

    private static double seconds(Duration time) {
        return time.toNanos() / 1e9;
    }

    private static String count(int n, String one, String many) {
        return n + " " + (n == 1 ? one : many);
    }
}
