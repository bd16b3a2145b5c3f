// SPDX-License-Identifier: Apache-2.0
package dev.volary.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.volary.mesh.v1.StatusReply;
import dev.volary.storage.BlobStore;
import dev.volary.storage.ObjectStore;
import dev.volary.storage.ObjectStoreSettings;
import dev.volary.storage.testkit.S3Server;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/** A job whose pods all go, and that goes on from its checkpoint volume; and others that start from there, or from an object store. */
@OnCluster
@OnTestbed
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class SuspendIT {
    private static final String KEPT =
            "checkpoint: {volume: {persistentVolumeClaim: {claimName: " + SharedFolder.CLAIM + "}}}\n";
    private static final String RESTORED =
            "restoreFrom: {persistentVolumeClaim: {claimName: " + SharedFolder.CLAIM + "}, job: suspended}\n";
    private static final String SECRET = """
            apiVersion: v1
            kind: Secret
            metadata: {name: s3}
            stringData: {accessKeyId: test, secretAccessKey: test}
            """;
    private static final int SECONDS = 30;
    /** Relative residual; a job that starts from nothing is at about 1. */
    private static final double WELL_ON_ITS_WAY = 1e-2;
    /** Residuals of asynchronous iterations do not fall from snapshot to snapshot, but go up and down by such a factor. */
    private static final double VARIES = 10;

    @TempDir
    static Path folder;

    private SharedFolder shared;
    private S3Server server;
    private ClusterJob job;
    private JsonObject kept = new JsonObject();

    @BeforeAll
    void start() throws Exception {
        shared = SharedFolder.in(folder);
        server = S3Server.start(InetAddress.getByName(Testbed.gateway()), folder.resolve("s3.log"));
        job = new ClusterJob(
                "suspended", Specs.few(Specs.lasting(SECONDS)) + KEPT, shared.claimed("volary-e2e-suspended"));
    }

    @AfterAll
    void stop() throws Exception {
        if (job == null) {
            return; // skipped: there is no S3 server here
        }
        job.close();
        server.close();
        SharedFolder.delete("volary-e2e-suspended");
    }

    @Test
    @Order(1)
    void suspendingKeepsACheckpointAndLeavesNoPod() throws Exception {
        job.awaitWorkers(Specs.FEW_WORKERS);
        job.until("is well on its way", () -> residual(job) < WELL_ON_ITS_WAY);
        suspend(true);
        job.until("is suspended", () -> {
            assertFalse(job.status("phase").equals("Succeeded"), "it is over too soon");
            return job.status("phase").equals("Suspended");
        });
        assertEquals("True NoPods", job.condition("Suspended"));
        assertEquals(Map.of(), job.pods());
        assertNotEquals("", job.status("lastCheckpointTime"));
        kept = newestManifest();
        assertTrue(iterations(kept) > 0, kept.toString());
    }

    @Test
    @Order(2)
    void itContinuesWithAResidualNoWorse() throws Exception {
        suspend(false);
        job.until("computes again", () -> job.status("phase").equals("Running"));
        job.until("has closed a snapshot", () -> {
            try (Spawner leader = Spawner.of(job, job.leader())) {
                StatusReply status = leader.client().status(0);
                if (status.getSid() == 0) {
                    return false;
                }
                double before = kept.getAsJsonObject("record").get("residual").getAsDouble();
                assertTrue(status.getResidual() <= VARIES * before, status.getResidual() + " after " + before);
                assertTrue(status.getIterations() >= iterations(kept), status.getIterations() + " after " + kept);
                return true;
            }
        });
    }

    @Test
    @Order(3)
    void itsAnswerIsCertifiedAndNothingCountsAsALoss() throws Exception {
        job.awaitSuccess();
        assertEquals(Losses.NONE, job.losses());
        Certificates.check(Fetched.of(job, folder.resolve("home")));
    }

    @Test
    @Order(4)
    void anotherJobStartsFromItsCheckpointWithAnInputAndCheckpointsInAnObjectStore() throws Exception {
        double start =
                newestManifest().getAsJsonObject("record").get("residual").getAsDouble();
        byte[] input = "abc".getBytes(StandardCharsets.US_ASCII);
        try (BlobStore store = openStore()) {
            store.put("input.txt", input);
        }
        String stored = "inputs: [{name: in, objectStore: {%1$s}, files: [{name: input.txt, sha256: %2$s}]}]\n"
                        .formatted(
                                store(),
                                HexFormat.of()
                                        .formatHex(MessageDigest.getInstance("SHA-256")
                                                .digest(input)))
                + "checkpoint: {objectStore: {%s}}\n".formatted(store());
        try (ClusterJob restored = new ClusterJob(
                "restored",
                Specs.few(Specs.lasting(SECONDS)) + RESTORED + stored,
                shared.claimed("volary-e2e-restored") + "---\n" + SECRET)) {
            restored.awaitSuccess();
            try (BlobStore store = openStore()) {
                assertTrue(
                        store.list("restored/1/").stream()
                                .anyMatch(blob -> blob.key().endsWith(".json")),
                        "a checkpoint is in the object store");
            }
            try (Spawner leader = Spawner.of(restored, restored.leader())) {
                double first = leader.client().status(0).getEventsList().stream()
                        .filter(event -> event.getEvent().hasSnapshotClosed())
                        .mapToDouble(
                                event -> event.getEvent().getSnapshotClosed().getResidual())
                        .findFirst()
                        .orElseThrow();
                assertTrue(first <= VARIES * start, first + " after " + start);
            }
        } finally {
            SharedFolder.delete("volary-e2e-restored");
        }
    }

    @Test
    @Order(5)
    void aJobOfAnotherProblemIsRefusedByFieldAndValue() throws Exception {
        String fromStore = "restoreFrom: {objectStore: {%s}, job: restored}\n".formatted(store());
        try (ClusterJob other = new ClusterJob("misfit", Specs.few(Specs.lasting(SECONDS, 62)) + fromStore, SECRET)) {
            other.until("fails", () -> other.status("phase").equals("Failed"));
            assertEquals("True JobFailed", other.condition("Failed"));
            String conditions = other.status("conditions");
            assertTrue(
                    conditions.contains("spec.restoreFrom leads to a checkpoint of job restored that has"
                            + " spec.problem.parameters.points 63, and 62 in this job"),
                    conditions);
        }
    }

    private String store() {
        return "endpoint: \"%s\", bucket: %s, prefix: e2e, secretName: s3"
                .formatted(server.endpoint(), S3Server.BUCKET);
    }

    private BlobStore openStore() throws IOException {
        Path credentials = Files.createDirectories(folder.resolve("credentials"));
        Files.writeString(credentials.resolve("accessKeyId"), "test");
        Files.writeString(credentials.resolve("secretAccessKey"), "test");
        return ObjectStore.open(new ObjectStoreSettings(
                Optional.of(server.endpoint()), Optional.empty(), S3Server.BUCKET, "e2e", Optional.of(credentials)));
    }

    private static double residual(ClusterJob of) throws IOException, InterruptedException {
        String residual = of.status("certifiedResidual");
        return residual.isEmpty() ? Double.POSITIVE_INFINITY : Double.parseDouble(residual);
    }

    private void suspend(boolean wanted) throws IOException, InterruptedException {
        Kubectl.run(
                "-n",
                job.namespace(),
                "patch",
                "ij",
                job.name(),
                "--type=merge",
                "-p",
                "{\"spec\": {\"suspend\": " + wanted + "}}");
    }

    private JsonObject newestManifest() throws IOException {
        try (Stream<Path> files = Files.walk(shared.folder().resolve(job.name()))) {
            Path newest = files.filter(file -> file.toString().endsWith(".json"))
                    .max(Comparator.comparingLong(SuspendIT::number))
                    .orElseThrow();
            return JsonParser.parseString(Files.readString(newest)).getAsJsonObject();
        }
    }

    private static long number(Path manifest) {
        return Long.parseLong(manifest.getFileName().toString().replace(".json", ""));
    }

    private static long iterations(JsonObject manifest) {
        return manifest.getAsJsonArray("iterations").asList().stream()
                .mapToLong(each -> each.getAsLong())
                .sum();
    }
}
