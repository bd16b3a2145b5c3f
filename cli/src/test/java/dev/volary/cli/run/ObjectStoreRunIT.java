// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.run;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.storage.BlobStore;
import dev.volary.storage.ObjectStore;
import dev.volary.storage.ObjectStoreSettings;
import dev.volary.storage.testkit.S3Server;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Local runs that take their inputs from a real object store and bring their results there. */
class ObjectStoreRunIT {
    private static final List<String> CREDENTIALS =
            List.of("env", "AWS_ACCESS_KEY_ID=test", "AWS_SECRET_ACCESS_KEY=test");

    private static final int UNKNOWNS = 24;

    @TempDir
    Path folder;

    private S3Server server;

    @BeforeEach
    void startServer() throws Exception {
        server = S3Server.start(folder.resolve("s3.log"));
    }

    @AfterEach
    void stopServer() {
        if (server != null) {
            server.close();
        }
    }

    private Path manifest(String bucket) throws IOException {
        return Files.writeString(folder.resolve("heat.yaml"), """
                apiVersion: volary.dev/v1alpha1
                kind: IterativeJob
                metadata: {name: heat}
                spec:
                  problem: {type: heat2d, parameters: {points: 24}}
                  daemons: {replicas: 2}
                  convergence: {tolerance: "1e-4"}
                  result:
                    destination: ObjectStore
                    objectStore: {endpoint: "%s", bucket: %s, prefix: team-a}
                """.formatted(server.endpoint(), bucket));
    }

    private StartedRun start(String bucket) throws IOException {
        return StartedRun.of(folder, CREDENTIALS, manifest(bucket));
    }

    /** The system 4 x_i - x_(i-1) - x_(i+1) = b_i, in the Matrix Market format. */
    private static byte[] matrix() {
        StringBuilder text = new StringBuilder("%%MatrixMarket matrix coordinate real general\n")
                .append("%d %d %d\n".formatted(UNKNOWNS, UNKNOWNS, 3 * UNKNOWNS - 2));
        for (int row = 1; row <= UNKNOWNS; row++) {
            for (int column = Math.max(1, row - 1); column <= Math.min(UNKNOWNS, row + 1); column++) {
                text.append("%d %d %d\n".formatted(row, column, row == column ? 4 : -1));
            }
        }
        return text.toString().getBytes(StandardCharsets.US_ASCII);
    }

    private Path withInput(String sha256) throws IOException {
        return Files.writeString(
                folder.resolve("system.yaml"), """
                apiVersion: volary.dev/v1alpha1
                kind: IterativeJob
                metadata: {name: heat}
                spec:
                  problem:
                    type: linear-system
                    parameters: {matrix: "in:sub/A.mtx", rhsRule: IndexOverN, method: PointJacobi}
                  inputs:
                    - name: in
                      objectStore: {endpoint: "%1$s", bucket: %2$s, prefix: matrices}
                      files: [{name: sub/A.mtx, sha256: '%3$s'}]
                  daemons: {replicas: 2}
                  convergence: {tolerance: "1e-4"}
                  result:
                    destination: ObjectStore
                    objectStore: {endpoint: "%1$s", bucket: %2$s, prefix: team-a}
                """.formatted(server.endpoint(), S3Server.BUCKET, sha256));
    }

    @Test
    void anInputComesFromTheObjectStoreAndZarrPythonReadsTheResultThere() throws Exception {
        byte[] matrix = matrix();
        String sha256 =
                HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(matrix));
        try (BlobStore store = ObjectStore.open(new ObjectStoreSettings(
                Optional.of(server.endpoint()), Optional.empty(), S3Server.BUCKET, "", Optional.of(secret())))) {
            store.put("matrices/sub/A.mtx", matrix);
        }
        List<String> cached = new ArrayList<>(CREDENTIALS);
        cached.add("XDG_CACHE_HOME=" + folder.resolve("cache"));
        try (StartedRun run = StartedRun.of(folder, cached, withInput(sha256))) {
            assertEquals(0, run.status(), run.said());
            assertReads(location(run), "x", "[%d]".formatted(UNKNOWNS));
        }
        try (StartedRun run = StartedRun.of(folder, cached, withInput("0".repeat(64)))) {
            assertEquals(2, run.status(), run.said());
            assertTrue(
                    run.said()
                            .contains("spec.inputs[0].files[0].sha256 is " + "0".repeat(64)
                                    + ", but s3://results/matrices/sub/A.mtx has " + sha256
                                    + "; store the right file there, or correct the checksum"),
                    run.said());
        }
    }

    private Path secret() throws IOException {
        Path secret = Files.createDirectory(folder.resolve("secret"));
        Files.writeString(secret.resolve("accessKeyId"), "test");
        Files.writeString(secret.resolve("secretAccessKey"), "test");
        return secret;
    }

    @Test
    void anObjectStoreThatStandsStillDelaysTheEndOnly() throws Exception {
        try (StartedRun run = start(S3Server.BUCKET)) {
            run.awaitSaid("workers are ready");
            server.pause();
            run.awaitSaid("writing the result");
            await().during(Duration.ofSeconds(3))
                    .atMost(Duration.ofSeconds(4))
                    .until(() -> run.process().isAlive());
            server.resume();
            assertEquals(0, run.status(), run.said());
            assertReads(location(run), "u", "[24, 24]");
        }
    }

    @Test
    void aBucketThatDoesNotExistIsAnErrorOfTheManifest() throws Exception {
        try (StartedRun run = start("absent")) {
            assertEquals(2, run.status(), run.said());
            assertTrue(
                    run.said()
                            .contains(
                                    "spec.result.objectStore names storage that refuses results: s3://absent/team-a/heat/"),
                    run.said());
            assertTrue(run.said().contains("create the bucket"), run.said());
            assertFalse(Files.exists(run.output().resolve("result.zarr")));
        }
    }

    private static String location(StartedRun run) throws IOException {
        Matcher found = Pattern.compile("published +(s3://results/team-a/heat/\\S+/result.zarr)")
                .matcher(run.said());
        assertTrue(found.find(), run.said());
        return found.group(1);
    }

    private void assertReads(String location, String field, String shape) throws Exception {
        ProcessBuilder builder = new ProcessBuilder(
                        S3Server.python().orElseThrow(),
                        System.getProperty("volary.zarr.reader"),
                        location,
                        field,
                        server.endpoint().toString())
                .redirectErrorStream(true);
        builder.environment().put("AWS_ACCESS_KEY_ID", "test");
        builder.environment().put("AWS_SECRET_ACCESS_KEY", "test");
        Process reader = builder.start();
        String read = new String(reader.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, reader.waitFor(), read);
        assertTrue(read.contains("\"shape\": " + shape), read);
    }
}
