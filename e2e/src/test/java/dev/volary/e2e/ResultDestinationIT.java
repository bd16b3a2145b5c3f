// SPDX-License-Identifier: Apache-2.0
package dev.volary.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.storage.BlobStore;
import dev.volary.storage.ObjectStore;
import dev.volary.storage.ObjectStoreSettings;
import dev.volary.storage.testkit.S3Server;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Results that are brought to a volume or an object store before the job ends. */
@OnSharedCluster
@OnTestbed
class ResultDestinationIT {
    private static final String SECRET = """
            apiVersion: v1
            kind: Secret
            metadata: {name: s3}
            stringData: {accessKeyId: test, secretAccessKey: test}
            """;

    @TempDir
    Path folder;

    @Test
    void aResultOnAVolumeNeedsNoSpawnersAndNoFetch() throws Exception {
        SharedFolder shared = SharedFolder.in(folder);
        String volume = "volary-e2e-result-volume";
        String spec = retainingNothing(Specs.few(Specs.small()))
                + "result: {destination: Volume, volume: {persistentVolumeClaim: {claimName: %s}}}\n"
                        .formatted(SharedFolder.CLAIM);
        try (ClusterJob job = new ClusterJob("result-volume", spec, shared.claimed(volume))) {
            job.awaitSuccess();
            job.until("is published", () -> job.condition("ResultAvailable").equals("True Published"));
            String location = job.status("resultLocation");
            assertTrue(location.startsWith("/var/lib/volary/results/result-volume/"), location);
            Certificates.check(Fetched.in(job, shared.folder().resolve("result-volume")));
            job.until("has no spawners any more", () -> job.runningSpawners().isEmpty());
            assertEquals("True Published", job.condition("ResultAvailable"));
            VolaryCommand.Said said = VolaryCommand.run(job, "fetch", "-o", folder.toString());
            assertEquals(2, said.status(), said.text());
            assertTrue(said.text().contains("is in " + location), said.text());
        } finally {
            SharedFolder.delete(volume);
        }
    }

    @Test
    void aLeaderThatIsLostWhileTheObjectStoreStandsStillCostsNothing() throws Exception {
        try (S3Server server = S3Server.start(InetAddress.getByName(Testbed.gateway()), folder.resolve("s3.log"));
                ClusterJob job = new ClusterJob("result-s3", toStore(Specs.few(Specs.lasting(30)), server), SECRET)) {
            job.awaitIteratingWithTwoSpawners();
            server.pause();
            String leader = job.leader();
            try (Spawner second = Spawner.of(job, job.spawnerBeside(leader))) {
                job.until(
                        "has a copy of its result",
                        () -> second.client().status(0).getResultPending());
            }
            job.deleteAtOnce(List.of(leader));
            job.until("has another leader", () -> !job.status("leader").equals(leader));
            assertEquals("Running", job.status("phase"));
            server.resume();
            job.awaitSuccess();
            job.until("is published", () -> job.condition("ResultAvailable").equals("True Published"));
            Certificates.check(Fetched.in(job, download(job, server)));
        }
    }

    @Test
    void aBucketThatDoesNotExistEndsTheJobBeforeItComputes() throws Exception {
        try (S3Server server = S3Server.start(InetAddress.getByName(Testbed.gateway()), folder.resolve("s3.log"));
                ClusterJob job = new ClusterJob(
                        "result-no-bucket",
                        toStore(Specs.few(Specs.small()), server).replace("bucket: results", "bucket: absent"),
                        SECRET)) {
            job.until("fails", () -> job.status("phase").equals("Failed"));
            assertTrue(job.status().contains("spec.result names storage that refuses results"), job.status());
            assertTrue(job.status().contains("create the bucket"), job.status());
        }
    }

    private static String toStore(String spec, S3Server server) {
        return retainingNothing(spec) + """
                result:
                  destination: ObjectStore
                  objectStore: {endpoint: "%s", bucket: %s, prefix: e2e, secretName: s3}
                """.formatted(server.endpoint(), S3Server.BUCKET);
    }

    private static String retainingNothing(String spec) {
        return spec.replace("podRetention: All\n", "");
    }

    private Path download(ClusterJob job, S3Server server) throws IOException, InterruptedException {
        Path credentials = Files.createDirectory(folder.resolve("credentials"));
        Files.writeString(credentials.resolve("accessKeyId"), "test");
        Files.writeString(credentials.resolve("secretAccessKey"), "test");
        String location = job.status("resultLocation");
        assertTrue(location.startsWith("s3://results/e2e"), location);
        String root = location.replace("s3://results/", "") + "/";
        Path home = folder.resolve("home");
        try (BlobStore store = ObjectStore.open(new ObjectStoreSettings(
                Optional.of(server.endpoint()), Optional.empty(), S3Server.BUCKET, "", Optional.of(credentials)))) {
            for (BlobStore.Blob blob : store.list(root)) {
                Path target = home.resolve("result.zarr").resolve(blob.key().substring(root.length()));
                Files.createDirectories(target.resolveSibling(""));
                store.download(blob.key(), target);
            }
        }
        return home;
    }
}
