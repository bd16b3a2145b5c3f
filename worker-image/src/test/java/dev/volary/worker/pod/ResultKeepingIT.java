// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.pod;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.mesh.spawnerapi.ResultDigest;
import dev.volary.mesh.v1.StatusReply;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** After the end of a job, until its result is fetched: real processes, an API server that knows one Lease. */
class ResultKeepingIT {
    private static final String FIRST = "heat-s-0";
    private static final String SECOND = "heat-s-1";
    private static final String THIRD = "heat-s-2";
    private static final String SPAWNERS = "127.0.4.51,127.0.4.52,127.0.4.53";

    @TempDir
    Path folder;

    @RegisterExtension
    final PodJobFixture jobs = new PodJobFixture();

    private final Eventually eventually = jobs.eventually();
    private PodJob job;
    private StatusReply over;

    @BeforeEach
    void bothSpawnersHoldTheResult() throws Exception {
        job = jobs.create(
                folder,
                PodJobFixture.heat("6f2c6a0e-0000-4000-8000-000000000005")
                        .setTolerance("1e-4")
                        .setExpectedSpawners(2)
                        .setResultCopies(2)
                        .build());
        startSpawner(FIRST);
        startSpawner(SECOND);
        job.start("daemon", "heat-d-0", "127.0.4.54", SPAWNERS);
        job.start("daemon", "heat-d-1", "127.0.4.55", SPAWNERS);
        over = holds(FIRST);
        holds(SECOND);
    }

    @Test
    void aReplacementOfALostHolderGetsACopyAndTheOtherOneMayBeLostToo() throws Exception {
        job.pod(FIRST).kill();
        startSpawner(THIRD);
        StatusReply copy = holds(THIRD);
        assertEquals(over.getOutcome(), copy.getOutcome());
        job.pod(SECOND).kill();
        fetch(THIRD);

        // Its container starts again: the result is its own.
        job.pod(THIRD).close();
        startSpawner(THIRD);
        assertTrue(holds(THIRD).getResultFetched());
    }

    @Test
    void aSpawnerThatStartsAgainAfterTheEndGivesItsCopyOn() throws Exception {
        job.pod(FIRST).kill();
        job.pod(SECOND).close();
        startSpawner(SECOND);
        holds(SECOND);
        startSpawner(THIRD);
        assertEquals(over.getOutcome(), holds(THIRD).getOutcome());
    }

    @Test
    void theLastHolderEndsOnlyWhenAReplacementHasTheResult() throws Exception {
        job.pod(FIRST).kill();
        job.pod(SECOND).terminate();
        startSpawner(THIRD);
        assertTrue(job.pod(SECOND).isAlive());
        job.pod(SECOND).status();
        assertTrue(holds(THIRD).getOutcome().hasCertified());
        fetch(THIRD);
    }

    @Test
    void oneOfTwoHoldersEndsAtOnceWhenItIsToldTo() throws Exception {
        long begun = System.nanoTime();
        job.pod(FIRST).terminate();
        job.pod(FIRST).status();
        assertTrue(System.nanoTime() - begun < 10e9, "it waited for nothing");
        fetch(SECOND);
    }

    @Test
    void twoHoldersThatAreToldToEndAtTheSameTimeDoNotCountOnEachOther() throws Exception {
        job.pod(FIRST).terminate();
        job.pod(SECOND).terminate();
        startSpawner(THIRD);
        job.pod(FIRST).status();
        job.pod(SECOND).status();
        fetch(THIRD);
    }

    @Test
    void holdersOfADeletedJobEndAtOnce() throws Exception {
        job.api().delete("science", "heat");
        long begun = System.nanoTime();
        job.pod(FIRST).terminate();
        job.pod(SECOND).terminate();
        job.pod(FIRST).status();
        job.pod(SECOND).status();
        assertTrue(System.nanoTime() - begun < 15e9, "they waited for somebody to fetch the result");
    }

    @Test
    void whatAClientHasIsNotCopiedAgain() throws Exception {
        fetch(FIRST);
        eventually.get(() -> Optional.of(job.spawner(SECOND).status(0)).filter(StatusReply::getResultFetched));
        job.pod(FIRST).terminate();
        job.pod(FIRST).status();
        startSpawner(THIRD);
        eventually.get(() -> Optional.of(job.spawner(THIRD).status(0)));
        job.pod(SECOND).terminate();
        job.pod(SECOND).status();
        assertFalse(job.spawner(THIRD).status(0).getResultReady());
    }

    private void startSpawner(String name) throws Exception {
        String address =
                List.of(SPAWNERS.split(",")).get(List.of(FIRST, SECOND, THIRD).indexOf(name));
        job.start("spawner", name, address, SPAWNERS);
    }

    private StatusReply holds(String spawner) throws Exception {
        return eventually.get(() -> Optional.of(job.spawner(spawner).status(0)).filter(StatusReply::getResultReady));
    }

    private void fetch(String spawner) throws Exception {
        String digest = ResultDigest.of(job.spawner(spawner).fetch(folder.resolve("home")));
        job.spawner(spawner).acknowledge(digest);
    }
}
