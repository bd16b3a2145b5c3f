// SPDX-License-Identifier: Apache-2.0
package dev.volary.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Objects of other owners have names that a job needs: it touches none of them, waits, and ends with its own. */
@OnSharedCluster
class NameTakenIT {
    private static final Duration WATCHED = Duration.ofSeconds(10);

    @TempDir
    Path folder;

    @Test
    @OnTestbed
    void aJobThatIsCreatedAgainWhileTheGarbageCollectorLagsShowsNothingOfTheOldOne() throws Exception {
        try (ClusterJob old = new ClusterJob("again", Specs.few(Specs.small()))) {
            old.awaitSuccess();
            String leader = old.leader();
            ClusterJob next;
            Testbed.pauseControllers();
            try {
                next = old.replace(Specs.few(Specs.obstacle()));
                assertTrue(
                        old.runningSpawners().contains(leader), "the old leader does not hold the old result any more");
                waitsWithoutAnythingOf(next, old.objectVersions());
            } finally {
                Testbed.resumeControllers();
            }
            endsWithItsOwn(next);
        }
    }

    @Test
    void aJobThatIsCreatedAgainBesideOrphansShowsNothingOfTheOldOne() throws Exception {
        try (ClusterJob old = new ClusterJob("orphans", Specs.few(Specs.small()))) {
            old.awaitSuccess();
            ClusterJob next = old.replace(Specs.few(Specs.obstacle()), "--cascade=orphan");
            waitsWithoutAnythingOf(next, old.objectVersions());
            assertTrue(next.message("Ready").contains("objects without an owner"), next.message("Ready"));
            next.deleteObjects();
            endsWithItsOwn(next);
        }
    }

    @Test
    void foreignObjectsAreNotChangedAndTheJobEndsOnceTheyAreDeleted() throws Exception {
        String others = """
                apiVersion: v1
                kind: Secret
                metadata: {name: volary-shop-d-0-identity}
                type: kubernetes.io/tls
                stringData: {tls.crt: certificate, tls.key: key}
                ---
                apiVersion: v1
                kind: ConfigMap
                metadata: {name: volary-shop-job}
                data: {orders: "7"}
                """;
        try (ClusterJob job = new ClusterJob("shop", Specs.few(Specs.small()), others)) {
            JsonObject secret = object(job, "secret", "volary-shop-d-0-identity");
            JsonObject map = object(job, "configmap", "volary-shop-job");
            job.until("says why", () -> job.condition("Ready").equals("False NameTaken"));
            job.until("has an event with the reason", () -> job.events().contains("NameTaken"));
            assertEquals(
                    "Names that this job needs are taken by objects without an owner: ConfigMap volary-shop-job, Secret volary-shop-d-0-identity;"
                            + " delete or rename them",
                    job.message("Ready"));
            long since = System.nanoTime();
            job.until("is watched for a while", () -> System.nanoTime() - since > WATCHED.toNanos());
            assertEquals(secret, object(job, "secret", "volary-shop-d-0-identity"));
            assertEquals(map, object(job, "configmap", "volary-shop-job"));
            assertEquals(Map.of(), job.pods());
            Kubectl.run(
                    "-n", job.namespace(), "delete", "secret/volary-shop-d-0-identity", "configmap/volary-shop-job");
            job.awaitSuccess();
            assertEquals(Losses.NONE, job.losses());
            Certificates.check(Fetched.of(job, folder));
        }
    }

    /** Watches the job for a while: it waits, says why, shows no result, and touches nothing that the old one has left. */
    private static void waitsWithoutAnythingOf(ClusterJob job, Map<String, String> left) throws Exception {
        job.until("says why", () -> {
            assertShowsNoResult(job);
            return job.condition("Ready").equals("False NameTaken");
        });
        long since = System.nanoTime();
        job.until("is watched for a while", () -> {
            assertShowsNoResult(job);
            return System.nanoTime() - since > WATCHED.toNanos();
        });
        Map<String, String> now = job.objectVersions();
        left.forEach((object, version) -> {
            // The old job's spawners write their lease, and the kubelet the pods' status.
            if (!object.startsWith("Lease ") && !object.startsWith("Pod ")) {
                assertEquals(version, now.get(object), object);
            }
        });
    }

    private static void assertShowsNoResult(ClusterJob job) throws IOException, InterruptedException {
        assertFalse(Set.of("Running", "Succeeded", "Failed").contains(job.status("phase")), job.status());
        assertEquals("", job.status("certifiedResidual"));
        assertFalse(job.condition("Converged").startsWith("True"), job.status());
    }

    private void endsWithItsOwn(ClusterJob job) throws Exception {
        job.awaitSuccess();
        assertEquals(0, job.count("retriesUsed"));
        String uid = job.uid();
        job.until(
                "has only its own objects", () -> job.owners().values().stream().allMatch(uid::equals));
        Fetched fetched = Fetched.of(job, folder);
        Certificates.check(fetched);
        assertNotEquals("", job.status("certifiedResidual"));
    }

    /** As it is stored, resourceVersion included. */
    private static JsonObject object(ClusterJob job, String kind, String name)
            throws IOException, InterruptedException {
        return Kubectl.json("-n", job.namespace(), "get", kind, name);
    }
}
