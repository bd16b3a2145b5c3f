// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.pod;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.mesh.spawnerapi.RefusedException;
import dev.volary.mesh.spawnerapi.ResultDigest;
import dev.volary.mesh.spawnerapi.SpawnerClient;
import dev.volary.mesh.v1.JobDescription;
import dev.volary.mesh.v1.ParameterValue;
import dev.volary.mesh.v1.Phase;
import dev.volary.mesh.v1.StatusReply;
import dev.volary.zarr.ResultAttributes;
import dev.volary.zarr.ZarrGroup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The result of a job is on two spawners, and outlives either: real processes, an API server that knows one Lease. */
class ResultCopiesIT {
    private static final String SPAWNERS = "127.0.4.31,127.0.4.32:7400,127.0.4.33";
    private static final List<String> NAMES = List.of("heat-s-0", "heat-s-1");

    @TempDir
    Path folder;

    @RegisterExtension
    final PodJobFixture jobs = new PodJobFixture();

    private final Eventually eventually = jobs.eventually();

    @Test
    void aResultIsFetchedFromTheOtherSpawnerIfTheLeaderIsLostAfterTheEnd() throws Exception {
        PodJob job = start(heat(0).build());
        StatusReply over = eventually.leader(job, StatusReply::getResultReady);
        String leader = over.getSelf().getName();
        String other = other(leader);
        eventually.get(() -> Optional.of(job.spawner(other).status(0)).filter(StatusReply::getResultReady));
        job.pod(leader).kill();

        StatusReply left = job.spawner(other).status(0);
        assertEquals(over.getOutcome(), left.getOutcome());
        SpawnerClient holder = job.spawner(other);
        Path home = folder.resolve("home");
        String digest = ResultDigest.of(holder.fetch(home));
        assertEquals(
                over.getOutcome().getCertified().getSid(),
                ResultAttributes.of(ZarrGroup.open(home.resolve("result.zarr")).attributes())
                        .snapshot());
        holder.acknowledge(digest);
        assertTrue(holder.status(0).getResultFetched());

        // Its container starts again: it serves the result, and does not begin the job a second time.
        job.pod(other).close();
        job.start("spawner", other, address(other), SPAWNERS);
        StatusReply again = eventually.get(() -> Optional.of(job.spawner(other).status(0)));
        assertEquals(over.getOutcome(), again.getOutcome());
        assertTrue(again.getResultReady() && again.getResultFetched(), again::toString);
    }

    @Test
    void aCopyIsNotServedBeforeTheJobIsOver() throws Exception {
        PodJob job = start(heat(20_000).build());
        eventually.leader(job, status -> status.getIterations() > 0);
        for (String spawner : NAMES) {
            eventually.get(() -> Optional.of(job.spawner(spawner).status(0)));
            assertThrows(RefusedException.class, () -> job.spawner(spawner).listFiles());
            assertThrows(RefusedException.class, () -> job.spawner(spawner).acknowledge("any"));
        }
    }

    @Test
    void aNewLeaderHasThePartsIfTheLeaderIsLostWhileItWritesTheResult() throws Exception {
        PodJob job = start(heat(20_000).build());
        eventually.leader(job, status -> status.getIterations() > 0);
        String leader = job.leaderStatus().orElseThrow().getSelf().getName();
        Path spool = folder.resolve(leader).resolve("spool");
        while (!isWritingResult(spool)) {
            Thread.onSpinWait(); // the moment lasts for some hundred milliseconds
        }
        job.pod(leader).kill();
        job.start("spawner", "heat-s-2", "127.0.4.33", SPAWNERS); // as the operator replaces a pod: with an empty disk
        String other = other(leader);
        StatusReply over =
                eventually.get(() -> Optional.of(job.spawner(other).status(0)).filter(StatusReply::getResultReady));
        assertTrue(over.getOutcome().hasCertified(), over::toString);
        assertTrue(
                over.getEventsList().stream()
                        .noneMatch(event -> event.getEvent().hasVerdictWithdrawn()),
                "its parts were on the other spawner");
        assertFalse(job.spawner(other).fetch(folder.resolve("home")).isEmpty());
    }

    @Test
    void aReplacementReadsTheCommittedStepFromASpawnerAndContinues() throws Exception {
        PodJob job = start(heat(2_000)
                .setProblem("heat2d-implicit")
                .clearParameters()
                .putParameters(
                        "points", ParameterValue.newBuilder().setWhole(24).build())
                .putParameters("steps", ParameterValue.newBuilder().setWhole(12).build())
                .putParameters(
                        "method",
                        ParameterValue.newBuilder().setText("PointJacobi").build())
                .build());
        job.start("daemon", "heat-d-2", "127.0.4.43", SPAWNERS);
        eventually.leader(
                job,
                status -> status.getEventsList().stream()
                        .anyMatch(event -> event.getEvent().hasStepCommitted()
                                && event.getEvent().getStepCommitted().getStep() >= 2));
        job.pod("heat-d-0").kill();
        StatusReply over = eventually.leader(job, status -> status.getPhase() == Phase.PHASE_FINISHED);
        assertTrue(over.getOutcome().hasCertified(), over::toString);
    }

    private static boolean isWritingResult(Path spool) throws IOException {
        try (Stream<Path> files = Files.list(spool)) {
            return files.anyMatch(file -> String.valueOf(file.getFileName()).startsWith("result.zarr"));
        }
    }

    private PodJob start(JobDescription description) throws Exception {
        PodJob job = jobs.create(folder, description);
        for (String spawner : NAMES) {
            job.start("spawner", spawner, address(spawner), SPAWNERS);
        }
        job.start("daemon", "heat-d-0", "127.0.4.41", SPAWNERS);
        job.start("daemon", "heat-d-1", "127.0.4.42", SPAWNERS);
        return job;
    }

    private static String address(String spawner) {
        return spawner.equals(NAMES.getFirst()) ? "127.0.4.31" : "127.0.4.32";
    }

    private static String other(String spawner) {
        return spawner.equals(NAMES.getFirst()) ? NAMES.getLast() : NAMES.getFirst();
    }

    private static JobDescription.Builder heat(long iterationMicros) {
        JobDescription.Builder job = PodJobFixture.heat("6f2c6a0e-0000-4000-8000-000000000002")
                .setTolerance("1e-4")
                .setExpectedSpawners(2)
                .setResultCopies(2);
        if (iterationMicros > 0) {
            job.putIterationMicros("*", iterationMicros);
        }
        return job;
    }
}
