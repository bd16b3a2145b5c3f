// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.simulate;

import dev.volary.cli.console.ExitCode;
import dev.volary.cli.console.Style;
import dev.volary.cli.console.Units;
import dev.volary.protocol.machine.JobOutcome;
import dev.volary.simulator.check.SimulatedJobReport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/** Summarizes several simulated runs of one job. */
final class SimulationTotals {
    private final List<SimulatedJobReport> reports;
    private final int certified;
    private final int late;
    private final int failed;
    private final int givenUp;
    private final int violating;
    private final List<Duration> times;
    private final List<Duration> detections;

    SimulationTotals(List<SimulatedJobReport> reports) {
        this.reports = reports;
        this.violating = count(reports, report -> !report.violations().isEmpty());
        this.certified = count(reports, report -> ends(report, JobOutcome.Certified.class));
        this.late = count(reports, report -> ends(report, JobOutcome.NotConverged.class));
        this.failed = count(reports, report -> ends(report, JobOutcome.Failed.class));
        this.givenUp = reports.size() - certified - late - failed - violating;
        this.times = reports.stream()
                .filter(report -> ends(report, JobOutcome.Certified.class))
                .map(SimulatedJobReport::time)
                .sorted()
                .toList();
        this.detections = reports.stream()
                .flatMap(report -> report.totals().detections().stream())
                .sorted()
                .toList();
    }

    private static int count(List<SimulatedJobReport> reports, Predicate<SimulatedJobReport> which) {
        return (int) reports.stream().filter(which).count();
    }

    private static boolean ends(SimulatedJobReport report, Class<? extends JobOutcome> how) {
        return report.violations().isEmpty()
                && report.outcome().filter(how::isInstance).isPresent();
    }

    /** The exit code of the worst outcome. */
    static ExitCode exitCode(List<SimulatedJobReport> reports) {
        SimulationTotals totals = new SimulationTotals(reports);
        if (totals.violating + totals.failed > 0) {
            return ExitCode.FAILED;
        }
        return totals.late + totals.givenUp > 0 ? ExitCode.NOT_CONVERGED : ExitCode.CERTIFIED;
    }

    /** The lines of the summary for people. */
    List<String> lines(Style style) {
        List<String> lines = new ArrayList<>();
        List<String> ends = new ArrayList<>();
        ends.add(certified + " certified");
        add(ends, late, "not converged");
        add(ends, failed, "failed");
        add(ends, givenUp, "given up");
        lines.add(style.bold(reports.size() + " runs: " + String.join(", ", ends)));
        SimulationText.percentile(times, 0.5)
                .ifPresent(median -> lines.add("  certified after     median " + Units.time(median) + ", from "
                        + Units.time(times.getFirst()) + " to " + Units.time(times.getLast())));
        SimulationText.percentile(detections, 0.5)
                .ifPresent(median -> lines.add("  detected after      median " + Units.time(median) + ", 95 % within "
                        + Units.time(SimulationText.percentile(detections, 0.95).orElseThrow())));
        lines.add("  invariants          "
                + (violating == 0 ? "all held" : style.red("violated in " + violating + " runs")));
        return lines;
    }

    private static void add(List<String> ends, int count, String what) {
        if (count > 0) {
            ends.add(count + " " + what);
        }
    }

    /** The JSON object for programs. */
    Map<String, Object> json() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("type", "summary");
        json.put("runs", reports.size());
        json.put("certified", certified);
        json.put("not_converged", late);
        json.put("failed", failed);
        json.put("given_up", givenUp);
        json.put("violating", violating);
        json.put("virtual_median_s", seconds(times, 0.5));
        json.put("detection_median_s", seconds(detections, 0.5));
        json.put("detection_95_s", seconds(detections, 0.95));
        return json;
    }

    private static Optional<Double> seconds(List<Duration> times, double share) {
        return SimulationText.percentile(times, share).map(SimulationText::seconds);
    }
}
