package dev.volary.cli.run;

import dev.volary.cli.check.CheckedJob;
import dev.volary.cli.result.EventLog;
import dev.volary.cli.result.LinkRecord;
import dev.volary.cli.result.OutputFolder;
import dev.volary.cli.result.ResidualHistory;
import dev.volary.mesh.v1.LinkReports;
import dev.volary.protocol.JobEvent;
import dev.volary.protocol.NodeId;
import dev.volary.protocol.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/** Writes what happens in a run to its output folder, as it happens. */
final class RunRecorder implements AutoCloseable {
    private final RunStory story;
    private final CheckedJob checked;
    private final EventLog events;
    private final ResidualHistory residuals;
    private final LinkHistory links = new LinkHistory();

    RunRecorder(OutputFolder output, RunStory story, CheckedJob checked) throws IOException {
        this.story = story;
        this.checked = checked;
        this.events = EventLog.create(output.events());
        this.residuals = ResidualHistory.create(output.residuals());
    }

    /** Removes what an earlier run left: its result, its picture, its provenance, unfinished parts. */
    static void deleteEarlier(OutputFolder output) throws IOException {
        Files.deleteIfExists(output.picture());
        Files.deleteIfExists(output.provenance());
        for (Path tree : List.of(output.result(), output.folder().resolve(".parts"))) {
            if (Files.isDirectory(tree)) {
                try (Stream<Path> files = Files.walk(tree)) {
                    for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                        Files.delete(file);
                    }
                }
            }
        }
    }

    void take(JobEvent event, Map<NodeId, String> names) throws IOException {
        switch (event) {
            case JobEvent.LeadElected(NodeId lead, long term) ->
                events.add(
                        Instant.now(),
                        "lead-elected",
                        Map.of("lead", names.getOrDefault(lead, lead.toString()), "term", term));
            case JobEvent.Planned(int blocks, int groups, int daemons) ->
                events.add(Instant.now(), "planned", Map.of("blocks", blocks, "groups", groups, "daemons", daemons));
            case JobEvent.AllIterating() -> events.add(Instant.now(), "all-iterating", Map.of());
            case JobEvent.Progress progress -> {}
            case JobEvent.SnapshotClosed closed -> {
                double relative = closed.residual() / checked.model().scale();
                residuals.add(new ResidualHistory.Sample(
                        story.computing(), closed.sid(), relative, closed.residual(), story.iterations()));
                events.add(
                        Instant.now(),
                        "snapshot-closed",
                        Map.of(
                                "snapshot",
                                closed.sid(),
                                "residual",
                                relative,
                                "latency_ms",
                                Duration.ofNanos(closed.latencyNanos()).toNanos() / 1e6));
            }
            case JobEvent.DaemonLost(NodeId daemon, var cause, var blocks) ->
                events.add(
                        Instant.now(),
                        "daemon-lost",
                        Map.of(
                                "daemon",
                                names.getOrDefault(daemon, daemon.toString()),
                                "cause",
                                cause.name().toLowerCase(Locale.ROOT),
                                "blocks",
                                blocks.toString()));
            case JobEvent.BlocksReassigned(NodeId daemon, var blocks) ->
                events.add(
                        Instant.now(),
                        "blocks-reassigned",
                        Map.of("daemon", names.getOrDefault(daemon, daemon.toString()), "blocks", blocks.toString()));
            case JobEvent.BlocksParked(var blocks) ->
                events.add(Instant.now(), "blocks-parked", Map.of("blocks", blocks.toString()));
            case JobEvent.Degraded(int copies, int wanted) ->
                events.add(Instant.now(), "copies", Map.of("in_force", copies, "wanted", wanted));
            case JobEvent.LocallyStalled(double hint, double residual) ->
                events.add(Instant.now(), "locally-stalled", Map.of("largest_hint", hint, "residual", residual));
        }
    }

    void take(LinkReports reports) {
        links.take(reports);
    }

    /** What all links have seen, as far as their daemons have told. */
    List<LinkRecord> links() {
        return links.records();
    }

    void ended(Outcome outcome) throws IOException {
        switch (outcome) {
            case Outcome.Certified(long sid, double residual) ->
                events.add(Instant.now(), "certified", Map.of("snapshot", sid, "residual_absolute", residual));
            case Outcome.NotConverged(long sid, double residual) ->
                events.add(Instant.now(), "not-converged", Map.of("snapshot", sid, "residual_absolute", residual));
            case Outcome.Failed(String reason) -> events.add(Instant.now(), "failed", Map.of("reason", reason));
        }
    }

    @Override
    public void close() throws IOException {
        events.close();
        residuals.close();
    }
}
