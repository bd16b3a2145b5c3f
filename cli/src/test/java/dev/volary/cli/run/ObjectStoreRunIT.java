// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.run;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.storage.testkit.S3Server;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Local runs that bring their results to a real object store. */
class ObjectStoreRunIT {
    private static final List<String> CREDENTIALS =
            List.of("env", "AWS_ACCESS_KEY_ID=test", "AWS_SECRET_ACCESS_KEY=test");

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

    @Test
    void zarrPythonReadsTheResultFromTheObjectStore() throws Exception {
        try (StartedRun run = start(S3Server.BUCKET)) {
            assertEquals(0, run.status(), run.said());
            assertReads(location(run));
        }
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
            assertReads(location(run));
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

    private void assertReads(String location) throws Exception {
        ProcessBuilder builder = new ProcessBuilder(
                        S3Server.python().orElseThrow(),
                        System.getProperty("volary.zarr.reader"),
                        location,
                        "u",
                        server.endpoint().toString())
                .redirectErrorStream(true);
        builder.environment().put("AWS_ACCESS_KEY_ID", "test");
        builder.environment().put("AWS_SECRET_ACCESS_KEY", "test");
        Process reader = builder.start();
        String read = new String(reader.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, reader.waitFor(), read);
        assertTrue(read.contains("\"shape\": [24, 24]"), read);
    }
}
