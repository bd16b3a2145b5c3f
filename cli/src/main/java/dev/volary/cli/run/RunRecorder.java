// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.run;

import dev.volary.cli.check.ValidatedJob;
import dev.volary.cli.result.EventLog;
import dev.volary.cli.result.LinkRecord;
import dev.volary.cli.result.OutputFolder;
import dev.volary.cli.result.ResidualHistory;
import dev.volary.mesh.v1.LinkReports;
import dev.volary.protocol.JobEvent;
import dev.volary.protocol.JobOutcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Writes what happens in a run to its output folder, as it happens. */
final class RunRecorder implements AutoCloseable {
    private final RunProgress story;
    private final ValidatedJob checked;
    private final EventLog events;
    private final ResidualHistory residuals;
    private final LinkHistory links = new LinkHistory();

    RunRecorder(OutputFolder output, RunProgress story, ValidatedJob checked) throws IOException {
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

    /** Writes down what happened. */
    void take(List<EventRecord> records) throws IOException {
        for (EventRecord record : records) {
            events.add(Instant.now(), record.type(), record.details());
        }
    }

    /** Adds a snapshot to the residuals. */
    void take(JobEvent.SnapshotClosed closed) throws IOException {
        residuals.add(new ResidualHistory.Sample(
                story.computing(),
                closed.sid(),
                checked.tolerance().relative(closed.residual()),
                closed.residual(),
                story.iterations()));
    }

    void take(LinkReports reports) {
        links.take(reports);
    }

    /** What all links have seen, as far as their daemons have told. */
    List<LinkRecord> links() {
        return links.records();
    }

    void ended(JobOutcome outcome) throws IOException {
        switch (outcome) {
            case JobOutcome.Certified(long sid, double residual) ->
                events.add(Instant.now(), "certified", Map.of("snapshot", sid, "residual_absolute", residual));
            case JobOutcome.NotConverged(long sid, double residual) ->
                events.add(Instant.now(), "not-converged", Map.of("snapshot", sid, "residual_absolute", residual));
            case JobOutcome.Failed(String reason) -> events.add(Instant.now(), "failed", Map.of("reason", reason));
        }
    }

    @Override
    public void close() throws IOException {
        events.close();
        residuals.close();
    }
}
