// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.simulate;

import dev.volary.cli.Style;
import dev.volary.cli.Units;
import dev.volary.cli.check.ValidatedJob;
import dev.volary.protocol.JobOutcome;
import dev.volary.simulator.FailureTotals;
import dev.volary.simulator.SimulatedJob;
import dev.volary.simulator.SimulatedJobReport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongFunction;

/** Tells what came of a simulated run. */
final class SimulationText {
    private final ValidatedJob checked;
    private final SimulatedJob job;
    private final Duration budget;
    private final LongFunction<String> again;

    /**
     * @param budget that a run was given
     * @param again the line that repeats the run of a seed
     */
    SimulationText(ValidatedJob checked, SimulatedJob job, Duration budget, LongFunction<String> again) {
        this.checked = checked;
        this.job = job;
        this.budget = budget;
        this.again = again;
    }

    /** One run in full, for people. */
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
        lines.add("  iterations          " + Units.grouped(report.report().iterations()) + " of all blocks, "
                + Units.grouped(report.toll().lostIterations()) + " lost; copies every "
                + Units.grouped(job.backupEvery()));
        lines.add("  snapshots           " + report.report().snapshots());
        toll(report.toll()).forEach((label, text) -> lines.add("  " + pad(label) + text));
        lines.add("  messages            " + String.format(Locale.ROOT, "%.1f", report.messages())
                + " a second and daemon, beside " + Units.count(report.halos()) + " halos");
        lines.add("  invariants          " + (report.violations().isEmpty() ? "all held" : style.red("violated")));
        report.violations().forEach(violation -> lines.add("    " + violation));
        lines.add("  seed                " + report.report().seed());
        if (!report.violations().isEmpty()) {
            lines.add("  again               " + again.apply(report.report().seed()));
        }
        return lines;
    }

    /** One of many runs, for people: a line, and two for each violation. */
    String line(SimulatedJobReport report, Style style) {
        String line = "seed " + report.report().seed() + ": " + verdict(report, style) + " after "
                + Units.time(report.time()) + ", "
                + Units.grouped(report.report().iterations()) + " iterations, "
                + crashes(report.toll())
                + percentile(report.toll().detections(), 0.5)
                        .map(median -> ", noticed after " + Units.time(median))
                        .orElse("")
                + reason(report).map(why -> "; " + why).orElse("");
        return report.violations().isEmpty()
                ? line
                : line + "\n  " + String.join("\n  ", report.violations()) + "\n  again: "
                        + again.apply(report.report().seed());
    }

    private static Map<String, String> toll(FailureTotals toll) {
        Map<String, String> lines = new LinkedHashMap<>();
        lines.put("crashes", crashes(toll));
        if (toll.declared() > 0) {
            lines.put(
                    "verdicts",
                    "on " + count(toll.declared(), "daemon")
                            + (toll.mistaken() > 0 ? ", " + toll.mistaken() + " of which lived" : "")
                            + (toll.dismissed() > 0 ? "; " + count(toll.dismissed(), "worker") + " dismissed" : ""));
        }
        spread(toll.detections()).ifPresent(text -> lines.put("noticed after", text));
        if (toll.byStandby() + toll.bySurvivor() + toll.restored() + toll.begunAgain() > 0) {
            lines.put(
                    "blocks replaced",
                    toll.byStandby() + " by standbys, " + toll.bySurvivor() + " by survivors; " + toll.restored()
                            + " from a copy, " + toll.begunAgain() + " from the start"
                            + (toll.parked() > 0 ? "; " + toll.parked() + " parked for a while" : ""));
        }
        if (toll.takeovers() > 0) {
            lines.put("groups taken over", Integer.toString(toll.takeovers()));
        }
        if (toll.rollbacks() > 0) {
            lines.put("rollbacks", Integer.toString(toll.rollbacks()));
        }
        spread(toll.standstills()).ifPresent(text -> lines.put("blocks stood still", text));
        return lines;
    }

    private static String crashes(FailureTotals toll) {
        List<String> crashes = new ArrayList<>();
        add(crashes, toll.daemonsKilled(), "daemon", "killed");
        add(crashes, toll.spawnersKilled(), "spawner", "killed");
        add(crashes, toll.left(), "daemon", "asked to leave");
        add(crashes, toll.pauses(), "worker", "stopped for a while");
        return crashes.isEmpty() ? "no crashes" : String.join(", ", crashes);
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

    /** The smallest time that so large a share of the times, which ascend, does not exceed. */
    static Optional<Duration> percentile(List<Duration> times, double share) {
        return times.isEmpty()
                ? Optional.empty()
                : Optional.of(times.get(Math.max(0, (int) Math.ceil(share * times.size()) - 1)));
    }

    private String verdict(SimulatedJobReport report, Style style) {
        String end = report.violations().isEmpty()
                ? report.outcome().map(SimulationText::words).orElse("given up")
                : "an invariant does not hold";
        boolean isCertified = end.equals("certified");
        String words = checked.name() + ": " + end;
        return isCertified ? style.green(words) : style.red(words);
    }

    private static String words(JobOutcome outcome) {
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
                            "no end within --budget " + Units.time(budget)
                                    + " of computing; raise it, or give the job a chance to end: fewer crashes, a larger tolerance")
                    : Optional.empty();
        }
        return switch (report.outcome().get()) {
            case JobOutcome.Certified certified -> Optional.empty();
            case JobOutcome.NotConverged late ->
                Optional.of("the deadline, spec.activeDeadlineSeconds, came first; raise it or the tolerance");
            case JobOutcome.Failed failed -> Optional.of(failed.reason());
        };
    }

    /** One run, for programs. */
    Map<String, Object> json(SimulatedJobReport report) {
        Map<String, Object> json = new LinkedHashMap<>();
        FailureTotals toll = report.toll();
        json.put("type", "run");
        json.put("job", checked.name());
        json.put("seed", report.report().seed());
        json.put("outcome", report.outcome().map(outcome -> words(outcome)).orElse("given up"));
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
        json.put("daemons_killed", toll.daemonsKilled());
        json.put("spawners_killed", toll.spawnersKilled());
        json.put("daemons_left", toll.left());
        json.put("pauses", toll.pauses());
        json.put("verdicts", toll.declared());
        json.put("verdicts_on_living", toll.mistaken());
        json.put("dismissed", toll.dismissed());
        json.put("detection_median_s", seconds(toll.detections(), 0.5));
        json.put("detection_95_s", seconds(toll.detections(), 0.95));
        json.put("standstill_median_s", seconds(toll.standstills(), 0.5));
        json.put("standstill_95_s", seconds(toll.standstills(), 0.95));
        json.put("replaced_by_standby", toll.byStandby());
        json.put("replaced_by_survivor", toll.bySurvivor());
        json.put("restored_from_copy", toll.restored());
        json.put("begun_again", toll.begunAgain());
        json.put("parked", toll.parked());
        json.put("groups_taken_over", toll.takeovers());
        json.put("rollbacks", toll.rollbacks());
        json.put("lost_iterations", toll.lostIterations());
        json.put("backup_every", job.backupEvery());
        json.put("messages_per_daemon_s", report.messages());
        json.put("halos_per_daemon_s", report.halos());
        json.put("violations", report.violations());
        json.put("again", again.apply(report.report().seed()));
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
