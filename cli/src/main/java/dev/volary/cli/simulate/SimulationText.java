// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.simulate;

import dev.volary.cli.check.ValidatedJob;
import dev.volary.cli.console.Style;
import dev.volary.cli.console.Units;
import dev.volary.protocol.machine.JobOutcome;
import dev.volary.simulator.SimulatedJob;
import dev.volary.simulator.check.FailureTotals;
import dev.volary.simulator.check.SimulatedJobReport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongFunction;

/** Formats the outcome of a simulated run. */
final class SimulationText {
    private final ValidatedJob checked;
    private final SimulatedJob job;
    private final Duration budget;
    private final LongFunction<String> reproducer;

    /**
     * @param budget maximum computing time of a run
     * @param reproducer the command line that repeats a run, by its seed
     */
    SimulationText(ValidatedJob checked, SimulatedJob job, Duration budget, LongFunction<String> reproducer) {
        this.checked = checked;
        this.job = job;
        this.budget = budget;
        this.reproducer = reproducer;
    }

    /** The lines about a single run, for people. */
    List<String> lines(SimulatedJobReport report, Style style) {
        List<String> lines = new ArrayList<>();
        lines.add(style.bold(verdict(report, style)));
        reason(report).ifPresent(why -> lines.add("  " + why));
        double residual = checked.tolerance().relative(report.report().residual());
        lines.add("  certified residual  "
                + (Double.isNaN(residual)
                        ? "none; the tolerance is "
                                + Units.small(checked.tolerance().relative())
                        : Units.small(residual)
                                + (residual <= checked.tolerance().relative() ? " ≤ " : " > ")
                                + Units.small(checked.tolerance().relative()) + " (relative)"));
        lines.add("  virtual time        " + Units.time(report.time()) + " from the start of the workers");
        lines.add("  workers             " + count(job.daemons(), "daemon") + ", " + count(job.standbys(), "standby")
                + ", " + count(job.spawners(), "spawner") + "; "
                + count(job.decomposition().blocks(), "block"));
        job.model().method(job.decomposition()).ifPresent(method -> lines.add("  method              " + method));
        lines.add("  iterations          " + Units.grouped(report.report().iterations()) + " of all blocks, "
                + Units.grouped(report.totals().lostIterations()) + " lost; backups every "
                + Units.grouped(job.backupEvery()));
        lines.add("  snapshots           " + report.report().snapshots());
        failureLines(report.totals()).forEach((label, text) -> lines.add("  " + pad(label) + text));
        lines.add("  messages            " + String.format(Locale.ROOT, "%.1f", report.messages())
                + " per second and daemon, besides " + Units.count(report.halos()) + " halos");
        lines.add("  invariants          " + (report.violations().isEmpty() ? "all held" : style.red("violated")));
        report.violations().forEach(violation -> lines.add("    " + violation));
        lines.add("  seed                " + report.report().seed());
        if (!report.violations().isEmpty()) {
            lines.add(
                    "  reproduce with      " + reproducer.apply(report.report().seed()));
        }
        return lines;
    }

    /** One of many runs, for people: one line, and further lines for violations. */
    String line(SimulatedJobReport report, Style style) {
        String line = "seed " + report.report().seed() + ": " + verdict(report, style) + " after "
                + Units.time(report.time()) + ", "
                + Units.grouped(report.report().iterations()) + " iterations, "
                + faults(report.totals())
                + percentile(report.totals().detections(), 0.5)
                        .map(median -> ", detected after " + Units.time(median))
                        .orElse("")
                + reason(report).map(why -> "; " + why).orElse("");
        return report.violations().isEmpty()
                ? line
                : line + "\n  " + String.join("\n  ", report.violations()) + "\n  reproduce with: "
                        + reproducer.apply(report.report().seed());
    }

    private static Map<String, String> failureLines(FailureTotals totals) {
        Map<String, String> lines = new LinkedHashMap<>();
        lines.put("faults", faults(totals));
        if (totals.declared() > 0) {
            lines.put(
                    "declared dead",
                    count(totals.declared(), "daemon")
                            + (totals.mistaken() > 0 ? ", " + totals.mistaken() + " of them alive" : "")
                            + (totals.evicted() > 0 ? "; " + count(totals.evicted(), "worker") + " evicted" : ""));
        }
        spread(totals.detections()).ifPresent(text -> lines.put("detected after", text));
        if (totals.byStandby() + totals.bySurvivor() + totals.restored() + totals.begunAgain() > 0) {
            lines.put(
                    "blocks replaced",
                    totals.byStandby() + " by standbys, " + totals.bySurvivor() + " by survivors; " + totals.restored()
                            + " from a backup, " + totals.begunAgain() + " from the start"
                            + (totals.parked() > 0 ? "; " + totals.parked() + " parked for a while" : ""));
        }
        if (totals.takeovers() > 0) {
            lines.put("groups taken over", Integer.toString(totals.takeovers()));
        }
        if (totals.rollbacks() > 0) {
            lines.put("rollbacks", Integer.toString(totals.rollbacks()));
        }
        spread(totals.standstills()).ifPresent(text -> lines.put("blocks stood still", text));
        return lines;
    }

    private static String faults(FailureTotals totals) {
        List<String> faults = new ArrayList<>();
        add(faults, totals.daemonsKilled(), "daemon", "killed");
        add(faults, totals.spawnersKilled(), "spawner", "killed");
        add(faults, totals.left(), "daemon", "asked to leave");
        add(faults, totals.pauses(), "worker", "paused");
        return faults.isEmpty() ? "no faults" : String.join(", ", faults);
    }

    private static void add(List<String> to, int number, String who, String what) {
        if (number > 0) {
            to.add(count(number, who) + " " + what);
        }
    }

    private static String count(int number, String of) {
        return number + " " + of + (number == 1 ? "" : "s");
    }

    private static Optional<String> spread(List<Duration> times) {
        return percentile(times, 0.5)
                .map(median -> "median " + Units.time(median) + ", 95 % within "
                        + Units.time(percentile(times, 0.95).orElseThrow()));
    }

    /** The smallest of the times, sorted in ascending order, that a share of them does not exceed. */
    static Optional<Duration> percentile(List<Duration> times, double share) {
        return times.isEmpty()
                ? Optional.empty()
                : Optional.of(times.get(Math.max(0, (int) Math.ceil(share * times.size()) - 1)));
    }

    private String verdict(SimulatedJobReport report, Style style) {
        String end = report.violations().isEmpty()
                ? report.outcome().map(SimulationText::label).orElse("given up")
                : "an invariant is violated";
        boolean isCertified = end.equals("certified");
        String text = checked.name() + ": " + end;
        return isCertified ? style.green(text) : style.red(text);
    }

    private static String label(JobOutcome outcome) {
        return switch (outcome) {
            case JobOutcome.Certified certified -> "certified";
            case JobOutcome.NotConverged late -> "not converged";
            case JobOutcome.Failed failed -> "failed";
        };
    }

    private Optional<String> reason(SimulatedJobReport report) {
        if (report.outcome().isEmpty()) {
            return report.violations().isEmpty()
                    ? Optional.of(
                            "--budget is " + Units.time(budget)
                                    + ", and the run did not end within it; raise it, inject fewer faults, or raise the tolerance")
                    : Optional.empty();
        }
        return switch (report.outcome().get()) {
            case JobOutcome.Certified certified -> Optional.empty();
            case JobOutcome.NotConverged late ->
                Optional.of(
                        "spec.activeDeadlineSeconds expired before the residual reached the tolerance; raise one of the two"
                                + (late.hasResult()
                                        ? "; the best answer that was reached is from snapshot " + late.sid()
                                        : ""));
            case JobOutcome.Failed failed -> Optional.of(failed.reason());
        };
    }

    /** The JSON object of one run. */
    Map<String, Object> json(SimulatedJobReport report) {
        Map<String, Object> json = new LinkedHashMap<>();
        FailureTotals totals = report.totals();
        json.put("type", "run");
        json.put("job", checked.name());
        json.put("seed", report.report().seed());
        json.put("outcome", report.outcome().map(SimulationText::label).orElse("given up"));
        json.put("reason", reason(report));
        json.put("residual", checked.tolerance().relative(report.report().residual()));
        json.put("tolerance", checked.tolerance().relative());
        json.put("digest", Long.toHexString(report.report().digest()));
        json.put("virtual_s", seconds(report.time()));
        json.put("daemons", job.daemons());
        json.put("standbys", job.standbys());
        json.put("spawners", job.spawners());
        json.put("blocks", job.decomposition().blocks());
        json.put("iterations", report.report().iterations());
        json.put("snapshots", report.report().snapshots());
        json.put("daemons_killed", totals.daemonsKilled());
        json.put("spawners_killed", totals.spawnersKilled());
        json.put("daemons_left", totals.left());
        json.put("pauses", totals.pauses());
        json.put("verdicts", totals.declared());
        json.put("verdicts_on_living", totals.mistaken());
        json.put("evicted", totals.evicted());
        json.put("detection_median_s", seconds(totals.detections(), 0.5));
        json.put("detection_95_s", seconds(totals.detections(), 0.95));
        json.put("standstill_median_s", seconds(totals.standstills(), 0.5));
        json.put("standstill_95_s", seconds(totals.standstills(), 0.95));
        json.put("replaced_by_standby", totals.byStandby());
        json.put("replaced_by_survivor", totals.bySurvivor());
        json.put("restored_from_copy", totals.restored());
        json.put("begun_again", totals.begunAgain());
        json.put("parked", totals.parked());
        json.put("groups_taken_over", totals.takeovers());
        json.put("rollbacks", totals.rollbacks());
        json.put("lost_iterations", totals.lostIterations());
        json.put("backup_every", job.backupEvery());
        json.put("messages_per_daemon_s", report.messages());
        json.put("halos_per_daemon_s", report.halos());
        json.put("violations", report.violations());
        json.put("again", reproducer.apply(report.report().seed()));
        return json;
    }

    private static Optional<Double> seconds(List<Duration> times, double share) {
        return percentile(times, share).map(SimulationText::seconds);
    }

    static double seconds(Duration time) {
        return time.toNanos() / 1e9;
    }

    private static String pad(String label) {
        return String.format("%-20s", label);
    }
}
