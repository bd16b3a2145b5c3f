// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.cluster;

import dev.volary.cli.console.Style;
import dev.volary.cli.console.Table;
import dev.volary.cli.console.Units;
import dev.volary.job.resource.DaemonStatus;
import dev.volary.job.resource.IterativeJob;
import dev.volary.job.resource.JobStatus;
import dev.volary.job.resource.Phase;
import io.fabric8.kubernetes.api.model.Condition;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Formats the status of a job for people and for programs. */
final class StatusText {
    private static final String RESULT_AVAILABLE = "ResultAvailable";
    private static final String RESULT_LOST = "ResultLost";

    private StatusText() {}

    /** The phase of a job; {@code Pending} before the operator has accepted it. */
    static Phase phase(IterativeJob job) {
        return Optional.ofNullable(status(job).phase()).orElse(Phase.Pending);
    }

    /** The status of a job; empty before the operator has accepted it. */
    static JobStatus status(IterativeJob job) {
        return Optional.ofNullable(job.getStatus()).orElse(JobStatus.EMPTY);
    }

    /**
     * The status as lines of text.
     *
     * @param now with which the predicted end is compared
     */
    static List<String> lines(IterativeJob job, Style style, Instant now) {
        JobStatus status = status(job);
        List<String> lines = new ArrayList<>();
        lines.add(style.bold(job.getMetadata().getName()) + " (namespace "
                + job.getMetadata().getNamespace() + "): " + colored(phase(job), style));
        if (status.phase() == null) {
            lines.add("  the operator has not accepted the job yet");
        }
        facts(job, status, now).forEach((label, text) -> lines.add("  " + String.format("%-20s", label) + text));
        conditions(status.conditions(), style).forEach(line -> lines.add("  " + line));
        return lines;
    }

    private static String colored(Phase phase, Style style) {
        return switch (phase) {
            case Succeeded -> style.green(phase.name());
            case Failed -> style.red(phase.name());
            case Pending, Forming, Suspending, Suspended -> style.yellow(phase.name());
            case Running -> style.cyan(phase.name());
        };
    }

    private static Map<String, String> facts(IterativeJob job, JobStatus status, Instant now) {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("problem", job.getSpec().problem().type());
        String tolerance = Optional.ofNullable(status.tolerance())
                .orElse(job.getSpec().convergence().tolerance());
        facts.put(
                "certified residual",
                Optional.ofNullable(status.certifiedResidual()).orElse("none yet") + ", tolerance " + tolerance
                        + " ("
                        + job.getSpec().convergence().norm().name().toLowerCase(Locale.ROOT) + ")");
        put(facts, "iterations", Optional.ofNullable(status.iterations()).map(Units::grouped));
        put(facts, "blocks", Optional.ofNullable(status.blocks()).map(String::valueOf));
        put(facts, "daemons", Optional.ofNullable(status.daemons()).map(StatusText::daemons));
        put(facts, "replaced", Optional.ofNullable(status.replacements()).map(StatusText::replaced));
        put(
                facts,
                "retries",
                Optional.ofNullable(status.retriesUsed())
                        .map(used ->
                                used + " of " + job.getSpec().failurePolicy().maxRetries() + " used"));
        put(facts, "leader", Optional.ofNullable(status.leader()));
        put(facts, "last checkpoint", Optional.ofNullable(status.lastCheckpointTime()));
        put(facts, "started", Optional.ofNullable(status.startTime()));
        put(
                facts,
                "predicted end",
                Optional.ofNullable(status.predictedCompletionTime())
                        .map(end -> end + ", in about " + Units.roughly(Duration.between(now, Instant.parse(end)))));
        put(facts, "ended", Optional.ofNullable(status.completionTime()));
        if (hasResult(job)) {
            facts.put("result", result(job));
        }
        return facts;
    }

    /** Whether the job has ended with a result: a certified one, or the best answer that it reached before its deadline. */
    static boolean hasResult(IterativeJob job) {
        return phase(job) == Phase.Succeeded
                || (phase(job) == Phase.Failed
                        && status(job).conditions().stream()
                                .anyMatch(condition -> condition.getType().equals("Failed")
                                        && condition.getReason().equals("NotConverged")));
    }

    /** Whether a client has fetched the result. */
    static boolean isFetched(IterativeJob job) {
        return Boolean.TRUE.equals(status(job).resultFetched());
    }

    /** Where the result is outside of the workers, if it is there. */
    static Optional<String> resultLocation(IterativeJob job) {
        return Optional.ofNullable(status(job).resultLocation());
    }

    private static String result(IterativeJob job) {
        if (resultLocation(job).isPresent()) {
            return "in " + resultLocation(job).get();
        }
        String fetch = "volary fetch " + job.getMetadata().getName() + " downloads it";
        Optional<Condition> available = status(job).conditions().stream()
                .filter(condition -> condition.getType().equals(RESULT_AVAILABLE))
                .findFirst();
        if (isFetched(job)) {
            return "fetched";
        } else if (available.filter(c -> c.getReason().equals(RESULT_LOST)).isPresent()) {
            return "lost: " + available.get().getMessage();
        }
        return available.map(c -> c.getMessage() + "; ").orElse("") + fetch;
    }

    private static void put(Map<String, String> facts, String label, Optional<String> text) {
        text.ifPresent(known -> facts.put(label, known));
    }

    private static String daemons(DaemonStatus daemons) {
        return daemons.ready() + " of " + daemons.desired() + " compute, " + daemons.standby() + " on standby";
    }

    private static String replaced(JobStatus.Replacements replaced) {
        return replaced.total() + " workers: " + replaced.disruption() + " disrupted, " + replaced.failure()
                + " failed, " + replaced.voluntary() + " deleted";
    }

    private static List<String> conditions(List<Condition> conditions, Style style) {
        if (conditions.isEmpty()) {
            return List.of();
        }
        Table table = new Table("CONDITION", "", "REASON", "MESSAGE");
        conditions.forEach(c -> table.row(
                c.getType(),
                c.getStatus(),
                c.getReason(),
                Optional.ofNullable(c.getMessage()).orElse("")));
        return table.lines(style);
    }

    /** The status as a tree: name, namespace, phase and the status of the API. */
    static Map<String, Object> tree(IterativeJob job) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("job", job.getMetadata().getName());
        tree.put("namespace", job.getMetadata().getNamespace());
        tree.put("phase", phase(job).name());
        tree.put("status", status(job));
        return tree;
    }
}
