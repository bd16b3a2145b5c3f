// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.pod;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.mesh.job.ContainerHeap;
import dev.volary.mesh.job.SpawnerResources;
import dev.volary.mesh.v1.FetchedFile;
import dev.volary.mesh.v1.JobDescription;
import dev.volary.mesh.v1.ParameterValue;
import dev.volary.mesh.v1.Phase;
import dev.volary.mesh.v1.StatusReply;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** What a spawner with the default memory can hold, by real processes with its heap. */
class LargeResultIT {
    private static final String SPAWNER = "127.0.3.31";
    private static final int DAEMONS = 4;

    /** They cannot hold two copies of a block without their spawner. */
    private static final int TOO_FEW_DAEMONS = 2;

    private static final long SPAWNER_HEAP = ContainerHeap.heapBytes(ContainerHeap.DEFAULT_LIMIT_BYTES);

    /** A block of the result below needs 450 MB at its daemon. */
    private static final long DAEMON_HEAP = 1L << 30;

    /** 293 MiB, and 396 MiB. */
    private static final int SIDE = 6200;

    private static final int SIDE_WITH_BACKUPS = 7200;

    @TempDir
    Path folder;

    @RegisterExtension
    final PodJobFixture jobs = new PodJobFixture();

    private final Eventually eventually = jobs.eventually();

    @Test
    void aResultLargerThanTheHeapIsDeliveredAssembledAndFetched() throws Exception {
        assertTrue(needed(SIDE, 0, DAEMONS).resultBytes() > SPAWNER_HEAP);
        assertTrue(needed(SIDE, 0, DAEMONS).heapBytes() <= SPAWNER_HEAP);
        PodJob job = start(SIDE, 0, DAEMONS);
        for (int i = 0; i < DAEMONS; i++) {
            job.start("daemon", "large-d-" + i, "127.0.3." + (41 + i), SPAWNER, DAEMON_HEAP);
        }
        StatusReply over = eventually.leader(job, status -> status.getPhase() == Phase.PHASE_FINISHED);
        assertTrue(over.getOutcome().hasCertified(), over.toString());
        List<FetchedFile> files = job.leader().fetch(folder.resolve("home"));
        long bytes = files.stream().mapToLong(FetchedFile::getBytes).sum();
        assertTrue(bytes >= needed(SIDE, 0, DAEMONS).resultBytes(), files.toString());
        assertTrue(job.pod("large-s-0").isAlive());
    }

    @Test
    void backupsThatTheDaemonsAloneCannotHoldFailTheJobAtTheStartAndNameTheRequiredMemory() throws Exception {
        assertTrue(needed(SIDE_WITH_BACKUPS, 2, TOO_FEW_DAEMONS).leastHeapBytes() > SPAWNER_HEAP);
        PodJob job = start(SIDE_WITH_BACKUPS, 2, TOO_FEW_DAEMONS);
        StatusReply over =
                eventually.get(() -> Optional.of(job.spawner("large-s-0").status(0))
                        .filter(status -> status.getPhase() == Phase.PHASE_FINISHED));
        String reason = over.getOutcome().getFailed().getReason();
        assertTrue(
                reason.matches("spec[.]spawners[.]template leaves a spawner a heap of 28[0-9] MiB, but a job of "
                        + (long) SIDE_WITH_BACKUPS * SIDE_WITH_BACKUPS
                        + " unknowns needs 45[0-9] MiB, 264 MiB of it for backups, for 2 daemons alone cannot hold 2 copies"
                        + " of each block; set resources[.]limits[.]memory of its container \"worker\" to 69[0-9]Mi or"
                        + " more, take more daemons, or lower spec[.]checkpoint[.]copies"),
                reason);
    }

    private static SpawnerResources needed(int side, int copies, int daemons) {
        return new SpawnerResources((long) side * side, true, copies, 1, daemons, 1);
    }

    private PodJob start(int side, int copies, int daemons) throws Exception {
        PodJob job = jobs.create(folder, description(side, copies, daemons));
        job.start("spawner", "large-s-0", SPAWNER, SPAWNER, SPAWNER_HEAP);
        return job;
    }

    /** Any vector will do: what counts is its size. */
    private static JobDescription description(int side, int copies, int daemons) {
        return PodJobFixture.description("large", "6f2c6a0e-0000-4000-8000-000000000031")
                .setProblem("heat2d")
                .putParameters(
                        "points", ParameterValue.newBuilder().setWhole(side).build())
                .putParameters(
                        "method",
                        ParameterValue.newBuilder().setText("PointJacobi").build())
                .setBlocks(daemons)
                .setCopies(copies)
                .setTolerance("100")
                .setCheckProblem(true)
                .setExpectedDaemons(daemons)
                .setExpectedSpawners(1)
                .build();
    }
}
