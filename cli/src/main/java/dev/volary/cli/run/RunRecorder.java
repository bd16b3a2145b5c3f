// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.run;

import dev.volary.cli.check.ValidatedJob;
import dev.volary.cli.result.EventLog;
import dev.volary.cli.result.LinkRecord;
import dev.volary.cli.result.OutputFolder;
import dev.volary.cli.result.ResidualHistory;
import dev.volary.mesh.v1.LinkReports;
import dev.volary.protocol.machine.JobEvent;
import dev.volary.protocol.machine.JobOutcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Writes the events and residuals of a run to its output folder while it runs. */
final class RunRecorder implements AutoCloseable {
    private final RunProgress progress;
    private final ValidatedJob checked;
    private final EventLog events;
    private final ResidualHistory residuals;
    private final LinkHistory links = new LinkHistory();

    RunRecorder(OutputFolder output, RunProgress progress, ValidatedJob checked) throws IOException {
        this.progress = progress;
        this.checked = checked;
        this.events = EventLog.create(output.events());
        this.residuals = ResidualHistory.create(output.residuals());
    }

    /** Deletes the files of an earlier run: result, picture, provenance, recorded parts and time steps. */
    static void deleteEarlier(OutputFolder output) throws IOException {
        Files.deleteIfExists(output.picture());
        Files.deleteIfExists(output.provenance());
        delete(output.result());
        delete(output.folder().resolve(".parts"));
        deleteSteps(output);
    }

    /** Deletes the time steps that were kept for the result. */
    static void deleteSteps(OutputFolder output) throws IOException {
        delete(output.folder().resolve(".steps"));
        delete(output.folder().resolve(".series"));
    }

    private static void delete(Path tree) throws IOException {
        if (Files.isDirectory(tree)) {
            try (Stream<Path> files = Files.walk(tree)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
    }

    /** Appends records to the event log. */
    void take(List<EventRecord> records) throws IOException {
        for (EventRecord record : records) {
            events.add(Instant.now(), record.type(), record.details());
        }
    }

    /** Appends a snapshot to the residual history. */
    void take(JobEvent.SnapshotClosed closed) throws IOException {
        residuals.add(new ResidualHistory.Sample(
                progress.computing(),
                closed.sid(),
                checked.tolerance().relative(closed.residual()),
                closed.residual(),
                closed.iterations()));
    }

    void take(LinkReports reports) {
        links.take(reports);
    }

    /** The statistics of all links whose daemons have reported them. */
    List<LinkRecord> links() {
        return links.records();
    }

    void ended(JobOutcome outcome) throws IOException {
        switch (outcome) {
            case JobOutcome.Certified(long sid, double residual) ->
                events.add(Instant.now(), "certified", Map.of("snapshot", sid, "residual_absolute", residual));
            case JobOutcome.NotConverged(long sid, double residual, long iterations) ->
                events.add(
                        Instant.now(),
                        "not-converged",
                        Map.of("snapshot", sid, "residual_absolute", residual, "block_iterations", iterations));
            case JobOutcome.Failed(String reason) -> events.add(Instant.now(), "failed", Map.of("reason", reason));
        }
    }

    @Override
    public void close() throws IOException {
        events.close();
        residuals.close();
    }
}
