// SPDX-License-Identifier: Apache-2.0
package dev.volary.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/** The result between the verdict and the user's disk: its leader is lost, its holders are lost, its download is cut short. */
@OnCluster
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ResultIT {
    private ClusterJob job;

    @BeforeAll
    void start() throws Exception {
        job = new ClusterJob("result", Specs.few(Specs.lasting(20)));
    }

    @AfterAll
    void stop() throws IOException {
        job.close();
    }

    @Test
    @Order(1)
    void aLeaderThatIsLostOnceASnapshotIsWithinToleranceCostsNoResult() throws Exception {
        job.awaitIteratingWithTwoSpawners();
        String leader = job.leader();
        try (Spawner leading = Spawner.of(job, leader);
                Spawner second = Spawner.of(job, job.spawnerBeside(leader))) {
            leading.awaitStatus(Spawner::isWithinTolerance);
            second.client().kill(List.of(leader)); // on a busy machine its answer is lost with it
        }
        job.deleteAtOnce(List.of(leader));
        job.awaitSuccess();
        assertEquals("True Certified", job.condition("Converged"));
        assertEquals(0, job.count("retriesUsed"));
        job.until(
                "has its result on spawners",
                () -> job.condition("ResultAvailable").equals("True OnSpawners"));
    }

    @Test
    @Order(2)
    void aFetchThatIsKilledChangesNothing(@TempDir Path folder) throws Exception {
        VolaryCommand fetch = VolaryCommand.start(job, "fetch", "-o", folder.toString());
        Path arriving = folder.resolve(".fetching").resolve("result.zarr");
        while (fetch.process().isAlive() && !Files.exists(arriving)) {
            Thread.onSpinWait(); // all of it arrives within milliseconds
        }
        fetch.process().destroyForcibly().waitFor();
        assertNotEquals(0, fetch.said().status(), () -> "it ended before it could be killed");
        assertFalse(Files.exists(folder.resolve("result.zarr")));
        assertNotFetched();
    }

    @Test
    @Order(3)
    @OnTestbed
    void aFetchToAFullDiskChangesNothing(@TempDir Path folder) throws Exception {
        Path full = Files.createDirectory(folder.resolve("full"));
        mount("mount", "-t", "tmpfs", "-o", "size=16k", "tmpfs", full.toString());
        try {
            VolaryCommand.Said said = VolaryCommand.run(job, "fetch", "-o", full.toString());
            assertEquals(1, said.status(), said.text());
            assertTrue(said.text().contains("No space left on device"), said.text());
            assertTrue(said.text().contains("fetch again to continue"), said.text());
            assertFalse(Files.exists(full.resolve("result.zarr")), said.text());
        } finally {
            mount("umount", full.toString());
        }
        assertNotFetched();
    }

    @Test
    @Order(4)
    @OnTestbed
    void aFetchBesideAResultThatCannotBeReplacedChangesNothing(@TempDir Path folder) throws Exception {
        Path old = Files.createDirectory(folder.resolve("result.zarr"));
        mount("mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", old.toString());
        try {
            Files.writeString(old.resolve("old"), "old");
            VolaryCommand.Said said = VolaryCommand.run(job, "fetch", "-o", folder.toString());
            assertEquals(1, said.status(), said.text());
            assertTrue(said.text().contains("result.zarr cannot be replaced"), said.text());
            assertEquals("old", Files.readString(old.resolve("old")));
        } finally {
            mount("umount", old.toString());
        }
        assertNotFetched();
    }

    @Test
    @Order(5)
    void theResultOutlivesAllSpawnersThatHeldItAtTheEnd(@TempDir Path folder) throws Exception {
        List<String> holders = job.runningSpawners();
        assertEquals(2, holders.size());
        for (String drained : holders) {
            job.evict(drained);
        }
        job.until("has other spawners only", () -> Collections.disjoint(job.runningSpawners(), holders));
        job.until(
                "has its result on two of them",
                () -> job.message("ResultAvailable").matches("held by result-s-\\d+ and result-s-\\d+"));
        VolaryCommand.Said said = VolaryCommand.run(job, "fetch", "-o", folder.toString());
        assertEquals(0, said.status(), said.text());
        Certificates.check(Fetched.in(job, folder));
        job.until("is known to be fetched", () -> job.status("resultFetched").equals("true"));
        assertEquals("False ResultFetched", job.condition("ResultAvailable"));
    }

    @Test
    @Order(6)
    void aResultWhoseSpawnersHaveAllEndedIsReportedAsLost(@TempDir Path folder) throws Exception {
        try (ClusterJob lost = new ClusterJob("result-lost", Specs.few(Specs.small()))) {
            lost.awaitSuccess();
            lost.until(
                    "has its result on spawners",
                    () -> lost.condition("ResultAvailable").equals("True OnSpawners"));
            lost.deleteAtOnce(lost.runningSpawners());
            lost.until(
                    "says that its result is lost",
                    () -> lost.condition("ResultAvailable").equals("False ResultLost"));
            lost.until("warns of it", () -> lost.events().contains("ResultLost"));
            assertEquals("Succeeded", lost.status("phase"));
            String status = VolaryCommand.run(lost, "status").text();
            assertTrue(status.contains("lost: no spawner that holds the result is left"), status);
            VolaryCommand.Said said = VolaryCommand.run(lost, "fetch", "-o", folder.toString());
            assertEquals(1, said.status(), said.text());
            assertTrue(said.text().contains("is lost") && said.text().contains("apply the job again"), said.text());
        }
    }

    /** The spawners themselves say so, at once; the operator would have to be waited for. */
    private void assertNotFetched() throws Exception {
        List<String> spawners = job.runningSpawners();
        assertTrue(spawners.size() >= 2, () -> "only " + spawners + " are left");
        for (String pod : spawners) {
            try (Spawner spawner = Spawner.of(job, pod)) {
                assertFalse(spawner.client().status(0).getResultFetched(), pod);
            }
        }
        assertTrue(Set.of("", "false").contains(job.status("resultFetched")));
    }

    private static void mount(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).inheritIO().start();
        assertEquals(0, process.waitFor(), () -> String.join(" ", command));
    }
}
