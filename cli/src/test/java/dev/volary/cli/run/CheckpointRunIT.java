// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.run;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.volary.cli.result.ResidualHistory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs with a checkpoint folder: all workers are killed with signal 9, and another run restores the job. */
class CheckpointRunIT {
    private static final String HEAT = """
            apiVersion: volary.dev/v1alpha1
            kind: IterativeJob
            metadata: {name: heat}
            spec:
              problem: {type: heat2d, parameters: {points: %d, boundary: Series, method: PointJacobi}}
              blocks: 2
              scheme: %s
              daemons: {replicas: 2}
              spawners: {replicas: 1}
              convergence: {tolerance: "1e-2"}
            """;
    private static final int N = 24;

    @TempDir
    Path folder;

    @Test
    void anAsynchronousJobThatWasKilledContinuesWithAResidualNoWorse() throws Exception {
        continuesAfterAKill("Asynchronous");
    }

    @Test
    void aSynchronousJobThatWasKilledContinuesWithAResidualNoWorse() throws Exception {
        continuesAfterAKill("Synchronous");
    }

    private void continuesAfterAKill(String scheme) throws Exception {
        Path state = folder.resolve("state");
        Path manifest = Files.writeString(folder.resolve("heat.yaml"), HEAT.formatted(N, scheme));
        Path first = Files.createDirectory(folder.resolve("first"));
        // About 500 iterations to two digits, of 20 ms each.
        try (StartedRun run =
                StartedRun.of(first, List.of(), manifest, "--pace", "20ms", "--checkpoint", state.toString())) {
            await().atMost(Duration.ofMinutes(2))
                    .until(() -> kept(state) || !run.process().isAlive());
            assertTrue(run.process().isAlive(), run.said());
        } // all of its processes with signal 9
        double before = newest(state).get("record").get("residual").asDouble();

        Path second = Files.createDirectory(folder.resolve("second"));
        try (StartedRun run =
                StartedRun.of(second, List.of(), manifest, "--pace", "1ms", "--restore-from", state.toString())) {
            assertEquals(0, run.status(), run.said());
            List<ResidualHistory.Sample> residuals =
                    ResidualHistory.read(run.output().resolve("residuals.csv"));
            assertTrue(residuals.getFirst().absolute() <= before, residuals.getFirst() + " after " + before);
        }

        Path third = Files.createDirectory(folder.resolve("third"));
        Path other = Files.writeString(folder.resolve("other.yaml"), HEAT.formatted(N + 1, scheme));
        try (StartedRun run = StartedRun.of(third, List.of(), other, "--restore-from", state.toString())) {
            assertEquals(1, run.status(), run.said());
            assertTrue(
                    run.said()
                            .contains("spec.restoreFrom leads to a checkpoint of job heat that has"
                                    + " spec.problem.parameters.points 24, and 25 in this job"),
                    run.said());
        }
    }

    private static boolean kept(Path state) throws IOException {
        return !manifests(state).isEmpty();
    }

    private static JsonNode newest(Path state) throws IOException {
        Path newest = manifests(state).stream()
                .max(Comparator.comparingLong(
                        file -> Long.parseLong(file.getFileName().toString().replace(".json", ""))))
                .orElseThrow();
        return new ObjectMapper().readTree(newest.toFile());
    }

    private static List<Path> manifests(Path state) throws IOException {
        Path epoch = state.resolve("heat").resolve("1");
        if (!Files.isDirectory(epoch)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(epoch)) {
            return files.filter(file -> file.toString().endsWith(".json")).toList();
        }
    }
}
