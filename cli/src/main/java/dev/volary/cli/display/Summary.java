// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.display;

import dev.volary.cli.console.Style;
import dev.volary.cli.console.Units;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The outcome of a run.
 *
 * @param job name of the job
 * @param phase one of the final phases
 * @param reason why the result is not certified, with the remedy; empty if it is certified
 * @param residual the last certified residual, relative; NaN if there was no snapshot
 * @param tolerance relative tolerance
 * @param unknowns number of unknowns
 * @param method how the blocks improved their values; empty if the problem has only one method
 * @param iterations of all blocks together
 * @param updates number of updates of single unknowns
 * @param computing time from the first to the last iteration
 * @param elapsed time of the whole run
 * @param snapshots number of snapshots
 * @param failures failures that the run survived
 * @param outputs paths of files written, and the location of a published result, by kind (result, picture, …)
 * @param steps progress in time steps
 */
public record Summary(
        String job,
        JobView.Phase phase,
        Optional<String> reason,
        double residual,
        double tolerance,
        long unknowns,
        Optional<String> method,
        long iterations,
        double updates,
        Duration computing,
        Duration elapsed,
        long snapshots,
        FailureSummary failures,
        Map<String, String> outputs,
        StepProgress steps) {

    public Summary {
        outputs = new LinkedHashMap<>(outputs);
    }

    /** The outcome for a problem without time steps. */
    public Summary(
            String job,
            JobView.Phase phase,
            Optional<String> reason,
            double residual,
            double tolerance,
            long unknowns,
            Optional<String> method,
            long iterations,
            double updates,
            Duration computing,
            Duration elapsed,
            long snapshots,
            FailureSummary failures,
            Map<String, String> outputs) {
        this(
                job,
                phase,
                reason,
                residual,
                tolerance,
                unknowns,
                method,
                iterations,
                updates,
                computing,
                elapsed,
                snapshots,
                failures,
                outputs,
                StepProgress.NONE);
    }

    /** Updates of single unknowns per second of computing. */
    public double updatesPerSecond() {
        return computing.isZero() ? 0 : updates / (computing.toNanos() / 1e9);
    }

    /** The lines of the summary for people. */
    public List<String> lines(Style style) {
        List<String> lines = new ArrayList<>();
        boolean isCertified = phase == JobView.Phase.CERTIFIED;
        String verdict = job + ": " + phase.label();
        lines.add(style.bold(isCertified ? style.green(verdict) : style.red(verdict)));
        reason.ifPresent(why -> lines.add("  " + why));
        String relation = residual <= tolerance ? " ≤ " : " > ";
        lines.add("  certified residual  "
                + (Double.isNaN(residual)
                        ? "none; the tolerance is " + Units.small(tolerance)
                        : Units.small(residual) + relation + Units.small(tolerance) + " (relative)"));
        if (steps.hasTimeSteps()) {
            lines.add("  time steps          " + steps.committed() + " of " + steps.of() + " committed");
        }
        lines.add("  unknowns            " + Units.grouped(unknowns));
        method.ifPresent(name -> lines.add("  method              " + name));
        lines.add("  iterations          " + Units.grouped(iterations) + " of all blocks, "
                + Units.count(updatesPerSecond()) + " updates/s");
        lines.add("  time                " + Units.time(elapsed) + ", " + Units.time(computing) + " of it computing, "
                + snapshots + (snapshots == 1 ? " snapshot" : " snapshots"));
        if (failures.isEventful()) {
            failures.lines().forEach((label, text) -> lines.add("  " + pad(label) + text));
        }
        outputs.forEach((kind, path) -> lines.add("  " + pad(kind) + path));
        return lines;
    }

    /** The JSON object for programs. */
    public Map<String, Object> json() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("type", "summary");
        json.put("job", job);
        json.put("outcome", phase.name());
        json.put("reason", reason);
        json.put("residual", residual);
        json.put("tolerance", tolerance);
        json.put("unknowns", unknowns);
        json.put("method", method);
        json.put("iterations", iterations);
        json.put("updates_per_s", updatesPerSecond());
        json.put("computing_s", computing.toNanos() / 1e9);
        json.put("elapsed_s", elapsed.toNanos() / 1e9);
        json.put("snapshots", snapshots);
        if (steps.hasTimeSteps()) {
            json.put("steps", steps.json());
        }
        json.put("survival", failures.json());
        json.put("outputs", outputs);
        return json;
    }

    private static String pad(String kind) {
        return String.format("%-20s", kind);
    }
}
