// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.display;

import dev.volary.cli.Units;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * What a run has survived.
 *
 * @param provoked workers hit on purpose
 * @param ended worker processes that ended before the job did
 * @param lost daemons that were declared lost, or left
 * @param detections from a daemon's silence to the verdict, one for each verdict
 * @param standstills from a daemon's silence until a block of it iterated again, one for each block and loss
 * @param lostIterations of blocks that began again from less than was seen before; as far as reports tell
 * @param shareStoodStill of the blocks' computing time
 * @param shareComputedAgain of all iterations: those that were lost
 */
public record FailureSummary(
        int provoked,
        int ended,
        int lost,
        List<Duration> detections,
        List<Duration> standstills,
        long lostIterations,
        double shareStoodStill,
        double shareComputedAgain) {
    /** Of a run without losses. */
    public static final FailureSummary UNSCATHED = new FailureSummary(0, 0, 0, List.of(), List.of(), 0, 0, 0);

    public FailureSummary {
        detections = detections.stream().sorted().toList();
        standstills = standstills.stream().sorted().toList();
    }

    /** Whether there is anything to tell. */
    public boolean isEventful() {
        return provoked + ended + lost > 0;
    }

    /** What losses cost of the computing time, estimated: as if a lost iteration took as long as the average one. */
    public double overhead() {
        return shareStoodStill + shareComputedAgain;
    }

    private static String percent(double share) {
        return String.format(Locale.ROOT, "%.2g %%", 100 * share);
    }

    /** For people: a label and a text each. */
    Map<String, String> lines() {
        Map<String, String> lines = new LinkedHashMap<>();
        List<String> crashes = new ArrayList<>();
        if (provoked > 0) {
            crashes.add(provoked + " provoked");
        }
        crashes.add(count(ended, "process", "processes") + " ended");
        crashes.add(count(lost, "daemon", "daemons") + " lost");
        lines.put("crashes", String.join(", ", crashes));
        if (!detections.isEmpty()) {
            lines.put(
                    "noticed after",
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
                    "an estimated " + percent(overhead()) + ": " + percent(shareStoodStill) + " standing still, "
                            + percent(shareComputedAgain) + " computing again");
        }
        return lines;
    }

    /** For programs. */
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
