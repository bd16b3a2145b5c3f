// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.run;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.volary.cli.result.ResidualHistory;
import dev.volary.storage.BlobStore;
import dev.volary.storage.BlobStore.Blob;
import dev.volary.storage.FolderStore;
import dev.volary.storage.ObjectStore;
import dev.volary.storage.ObjectStoreSettings;
import dev.volary.storage.testkit.S3Server;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs whose checkpoints outlive them: all workers are killed with signal 9, and another run restores the job. */
class CheckpointRunIT {
    private static final String HEAT = """
            apiVersion: volary.dev/v1alpha1
            kind: IterativeJob
            metadata: {name: %s}
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

    /**
     * Where checkpoints are.
     *
     * @param store with the key {@code heat/1/<snapshot>.json} for each
     * @param prefix of the command line
     * @param saving fields of the manifest, and options of the command line
     * @param restored name of the job that restores it
     * @param restoring fields of the manifest, and options of the command line
     */
    private record Place(
            BlobStore store,
            List<String> prefix,
            String saving,
            List<String> savingOptions,
            String restored,
            String restoring,
            List<String> restoringOptions) {}

    @Test
    void anAsynchronousJobThatWasKilledContinuesFromAnObjectStoreWithAResidualNoWorse() throws Exception {
        try (S3Server server = S3Server.start(folder.resolve("s3.log"))) {
            Path secret = Files.createDirectory(folder.resolve("secret"));
            Files.writeString(secret.resolve("accessKeyId"), "test");
            Files.writeString(secret.resolve("secretAccessKey"), "test");
            String there = "objectStore: {endpoint: \"%s\", bucket: %s, prefix: state}"
                    .formatted(server.endpoint(), S3Server.BUCKET);
            try (BlobStore store = ObjectStore.open(new ObjectStoreSettings(
                    Optional.of(server.endpoint()), Optional.empty(), S3Server.BUCKET, "state", Optional.of(secret)))) {
                continuesAfterAKill(
                        "Asynchronous",
                        new Place(
                                store,
                                List.of("env", "AWS_ACCESS_KEY_ID=test", "AWS_SECRET_ACCESS_KEY=test"),
                                "  checkpoint: {" + there + "}\n",
                                List.of(),
                                "heat-2",
                                "  restoreFrom: {" + there + ", job: heat}\n",
                                List.of()));
            }
        }
    }

    @Test
    void aSynchronousJobThatWasKilledContinuesFromAFolderWithAResidualNoWorse() throws Exception {
        Path state = folder.resolve("state");
        try (BlobStore store = new FolderStore(state)) {
            continuesAfterAKill(
                    "Synchronous",
                    new Place(
                            store,
                            List.of(),
                            "",
                            List.of("--checkpoint", state.toString()),
                            "heat",
                            "",
                            List.of("--restore-from", state.toString())));
        }
    }

    private void continuesAfterAKill(String scheme, Place place) throws Exception {
        Path manifest =
                Files.writeString(folder.resolve("heat.yaml"), HEAT.formatted("heat", N, scheme) + place.saving());
        Path first = Files.createDirectory(folder.resolve("first"));
        // About 500 iterations to two digits, of 20 ms each.
        try (StartedRun run = StartedRun.of(first, place.prefix(), manifest, options("20ms", place.savingOptions()))) {
            await().atMost(Duration.ofMinutes(2))
                    .until(() ->
                            newest(place.store()).isPresent() || !run.process().isAlive());
            assertTrue(run.process().isAlive(), run.said());
        } // all of its processes with signal 9
        double before = new ObjectMapper()
                .readTree(place.store().get(newest(place.store()).orElseThrow()))
                .get("record")
                .get("residual")
                .asDouble();

        Path second = Files.createDirectory(folder.resolve("second"));
        Path next = Files.writeString(
                folder.resolve("next.yaml"), HEAT.formatted(place.restored(), N, scheme) + place.restoring());
        try (StartedRun run = StartedRun.of(second, place.prefix(), next, options("1ms", place.restoringOptions()))) {
            assertEquals(0, run.status(), run.said());
            List<ResidualHistory.Sample> residuals =
                    ResidualHistory.read(run.output().resolve("residuals.csv"));
            assertTrue(residuals.getFirst().absolute() <= before, residuals.getFirst() + " after " + before);
        }

        Path third = Files.createDirectory(folder.resolve("third"));
        Path other = Files.writeString(
                folder.resolve("other.yaml"), HEAT.formatted(place.restored(), N + 1, scheme) + place.restoring());
        try (StartedRun run = StartedRun.of(third, place.prefix(), other, options("1ms", place.restoringOptions()))) {
            assertEquals(1, run.status(), run.said());
            assertTrue(
                    run.said()
                            .contains("spec.restoreFrom leads to a checkpoint of job heat that has"
                                    + " spec.problem.parameters.points 24, and 25 in this job"),
                    run.said());
        }
    }

    private static String[] options(String pace, List<String> more) {
        return Stream.concat(Stream.of("--pace", pace), more.stream()).toArray(String[]::new);
    }

    /** The key of the manifest of the newest checkpoint. */
    private static Optional<String> newest(BlobStore store) throws IOException {
        return store.list("heat/1/").stream()
                .map(Blob::key)
                .filter(key -> key.endsWith(".json"))
                .max(Comparator.comparingLong(key -> Long.parseLong(key.replaceAll("heat/1/|[.]json", ""))));
    }
}
