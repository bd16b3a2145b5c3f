// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.result;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.volary.zarr.ResultAttributes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The files beside the result: history, events, provenance. */
class OutputFolderTest {
    @TempDir
    Path folder;

    @Test
    void theHistoryIsOnTheDiskAfterEachSnapshotAndReadsBackExactly() throws IOException {
        Path file = folder.resolve("residuals.csv");
        ResidualHistory.Sample first = new ResidualHistory.Sample(Duration.ofMillis(1250), 1, 0.1 + 0.2, 1e-300, 77);
        ResidualHistory.Sample second = new ResidualHistory.Sample(Duration.ofMillis(2500), 2, 1e-7, 2e-7, 99);
        try (ResidualHistory history = ResidualHistory.create(file)) {
            history.add(first);
            assertEquals(List.of(first), ResidualHistory.read(file));
            history.add(second);
        }
        assertEquals(List.of(first, second), ResidualHistory.read(file));
        assertEquals(
                "time_s,snapshot,residual_relative,residual_absolute,iterations",
                Files.readAllLines(file).getFirst());
    }

    @Test
    void aMalformedHistoryIsNamedWithItsLine() throws IOException {
        Path file = folder.resolve("residuals.csv");
        Files.writeString(
                file, "time_s,snapshot,residual_relative,residual_absolute,iterations\n1,2,3,4,5\n1,2,three,4,5\n");
        assertEquals(
                file + ":3 is malformed: \"1,2,three,4,5\"; run the job again",
                assertThrows(IOException.class, () -> ResidualHistory.read(file))
                        .getMessage());
    }

    @Test
    void eventsAreJsonObjectsOnALineEach() throws IOException {
        Path file = folder.resolve("events.jsonl");
        try (EventLog log = EventLog.create(file)) {
            log.add(Instant.parse("2026-01-02T03:04:05Z"), "leader", Map.of("text", "says \"hi\"\nand more"));
            log.add(Instant.EPOCH, "end", Map.of());
        }
        List<String> lines = Files.readAllLines(file);
        assertEquals(2, lines.size());
        JsonNode event = new ObjectMapper().readTree(lines.getFirst());
        assertEquals("2026-01-02T03:04:05Z", event.get("time").asText());
        assertEquals("leader", event.get("type").asText());
        assertEquals("says \"hi\"\nand more", event.get("text").asText());
    }

    @Test
    void provenanceKeepsTheManifestVerbatim() throws IOException {
        String manifest = "apiVersion: volary.dev/v1alpha1\n# a comment: ü\n";
        Path file = folder.resolve("provenance.json");
        new Provenance(
                        manifest,
                        "CERTIFIED",
                        42,
                        "host-1",
                        Instant.EPOCH,
                        Map.of("computing", Duration.ofMillis(1500)),
                        List.of(new Provenance.Worker("d1", "daemon", "host-1", 7, List.of(0, 1), 99)),
                        List.of(new LinkRecord(
                                0,
                                1,
                                Optional.of(new LinkRecord.Sent(3, 600, 2, 0, Optional.of(Duration.ofMillis(5)))),
                                Optional.empty())),
                        Optional.of(new ResultAttributes("heat", "heat2d", true, 9e-5, 1.8e-4, 1e-4, 7)))
                .write(file);
        JsonNode json = new ObjectMapper().readTree(Files.readString(file));
        assertEquals(manifest, json.get("manifest").asText());
        assertEquals(42, json.get("seed").asLong());
        assertEquals(9e-5, json.at("/certificate/certified_residual").asDouble());
        assertEquals(1.5, json.at("/timings_s/computing").asDouble());
        assertEquals(1, json.at("/workers/0/blocks/1").asInt());
        assertEquals(600, json.at("/links/0/sent/bytes").asLong());
        assertEquals(5.0, json.at("/links/0/sent/round_trip_ms").asDouble());
        assertTrue(json.at("/links/0/received").isNull());
        assertTrue(json.at("/versions/java").asText().contains(Runtime.version().toString()));
    }

    @Test
    void aFolderThatCannotBeMadeIsNamedWithTheRemedy() throws IOException {
        Path file = Files.writeString(folder.resolve("out"), "");
        assertEquals(
                file + " is a file; remove it or choose another output folder",
                assertThrows(IOException.class, () -> OutputFolder.create(file)).getMessage());
    }

    @Test
    void aFileThatCannotBeWrittenIsNamedWithTheRemedy() {
        Path file = folder.resolve("missing/provenance.json");
        Provenance record =
                new Provenance("", "FAILED", 0, "h", Instant.EPOCH, Map.of(), List.of(), List.of(), Optional.empty());
        assertEquals(
                file + " cannot be written (its folder does not exist); make room, or choose another output folder",
                assertThrows(IOException.class, () -> record.write(file)).getMessage());
    }
}
