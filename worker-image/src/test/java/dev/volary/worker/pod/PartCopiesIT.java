// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.pod;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import dev.volary.mesh.v1.FailureDetection;
import dev.volary.mesh.v1.JobDescription;
import dev.volary.mesh.v1.NumberedEvent;
import dev.volary.mesh.v1.ParameterValue;
import dev.volary.mesh.v1.StatusReply;
import dev.volary.mesh.v1.StepCommitted;
import dev.volary.mesh.v1.WatchStrategy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The parts of a committed step, when a spawner that holds them is replaced by one with an empty spool: real processes. */
class PartCopiesIT {
    private static final String SPAWNERS = "127.0.5.11,127.0.5.12:7400";

    @TempDir
    Path folder;

    @RegisterExtension
    final PodJobFixture jobs = new PodJobFixture();

    private final Eventually eventually = jobs.eventually();

    @Test
    void aSpawnerThatReplacesAnotherCopiesThePartsOfTheCommittedStep() throws Exception {
        PodJob job = jobs.create(folder, description());
        job.start("spawner", "heat-s-0", "127.0.5.11", SPAWNERS);
        job.start("spawner", "heat-s-1", "127.0.5.12", SPAWNERS);
        job.start("daemon", "heat-d-0", "127.0.5.21", SPAWNERS);
        job.start("daemon", "heat-d-1", "127.0.5.22", SPAWNERS);
        eventually.leader(job, status -> lastCommit(status).isPresent());
        // The daemons bring no more parts, so the next step is never committed.
        job.pod("heat-d-0").freeze();
        job.pod("heat-d-1").freeze();
        StatusReply status = eventually.leader(job, current -> true);
        long sid = lastCommit(status).orElseThrow().getSid();

        String leader = status.getSelf().getName();
        String other = leader.equals("heat-s-0") ? "heat-s-1" : "heat-s-0";
        job.pod(other).close();
        for (int block = 0; block < 2; block++) {
            Files.delete(part(other, block, sid));
        }
        job.start("spawner", other, other.equals("heat-s-0") ? "127.0.5.11" : "127.0.5.12", SPAWNERS);

        for (int block = 0; block < 2; block++) {
            Path copy = part(other, block, sid);
            eventually.get(() -> Optional.of(copy).filter(Files::exists));
            assertArrayEquals(Files.readAllBytes(part(leader, block, sid)), Files.readAllBytes(copy));
        }
    }

    private Path part(String spawner, int block, long sid) {
        return folder.resolve(spawner).resolve("spool/.parts/" + block + "-" + sid + ".f64");
    }

    private static Optional<StepCommitted> lastCommit(StatusReply status) {
        return status.getEventsList().stream()
                .map(NumberedEvent::getEvent)
                .filter(event -> event.hasStepCommitted())
                .map(event -> event.getStepCommitted())
                .reduce((earlier, later) -> later);
    }

    /** Steps of a second or two, and daemons that may be silent for long. */
    private static JobDescription description() {
        return PodJobFixture.heat("6f2c6a0e-0000-4000-8000-000000000005")
                .setProblem("heat2d-implicit")
                .putParameters(
                        "steps", ParameterValue.newBuilder().setWhole(1000).build())
                .putParameters(
                        "stepLength", ParameterValue.newBuilder().setReal(0.002).build())
                .setTolerance("1e-4")
                .setExpectedSpawners(2)
                .setResultCopies(2)
                .putIterationMicros("*", 20_000)
                .setFailureDetection(FailureDetection.newBuilder()
                        .setStrategy(WatchStrategy.WATCH_STRATEGY_RING)
                        .setTimeoutMillis(60_000))
                .build();
    }
}
