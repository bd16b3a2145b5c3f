// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.pod;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.volary.mesh.v1.CheckpointReply;
import dev.volary.mesh.v1.JobDescription;
import dev.volary.mesh.v1.ParameterValue;
import dev.volary.mesh.v1.Phase;
import dev.volary.mesh.v1.StatusReply;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Real workers with a checkpoint volume, all killed with signal 9: those that follow go on from the volume. */
class VolumeIT {
    private static final String SPAWNER = "127.0.2.11";
    private static final Duration ANSWER = Duration.ofSeconds(90);

    @TempDir
    Path folder;

    @RegisterExtension
    final PodJobFixture jobs = new PodJobFixture();

    private final Eventually eventually = jobs.eventually();

    @Test
    void aSuspendedJobContinuesWithAResidualThatIsNoWorse() throws Exception {
        PodJob job = start("first", heat("6f2c6a0e-0000-4000-8000-000000000001"));
        startWorkers(job, 0);
        eventually.leader(job, VolumeIT::iterates);
        CheckpointReply kept = job.leader().checkpoint(ANSWER);
        assertTrue(kept.getKept(), kept.toString());
        StatusReply before = job.leaderStatus().orElseThrow();
        job.killAll();
        JsonObject newest = newest();
        job.api().withdrawLead("science", "heat"); // as the operator does when no pod is left

        startWorkers(job, 1);
        StatusReply first = eventually.leader(job, status -> status.getSid() > 0);
        assertTrue(first.getTerm() > before.getTerm(), first.toString());
        assertTrue(first.getResidual() <= residual(newest), first + " after " + newest);
        assertTrue(iterations(newest) > 0 && first.getIterations() >= iterations(newest), first + " after " + newest);
        StatusReply over = eventually.leader(job, status -> status.getPhase() == Phase.PHASE_FINISHED);
        assertTrue(over.getOutcome().hasCertified(), over.toString());
    }

    @Test
    void aTimeDependentJobContinuesInItsStep() throws Exception {
        PodJob job = start("first", marching("6f2c6a0e-0000-4000-8000-000000000002"));
        startWorkers(job, 0);
        CheckpointReply kept = eventually.get(() -> {
            Optional<StatusReply> leader = job.leaderStatus();
            return leader.isEmpty()
                    ? Optional.empty()
                    : Optional.of(job.leader(leader.get()).checkpoint(ANSWER));
        });
        assertTrue(kept.getStep() >= 1, kept.toString());
        job.killAll();
        job.api().withdrawLead("science", "heat");

        startWorkers(job, 1);
        StatusReply over = eventually.leader(job, status -> status.getPhase() == Phase.PHASE_FINISHED);
        assertTrue(over.getOutcome().hasCertified(), over.toString());
        int earliest = over.getEventsList().stream()
                .filter(event -> event.getEvent().hasStepCommitted())
                .mapToInt(event -> event.getEvent().getStepCommitted().getStep())
                .min()
                .orElseThrow();
        assertTrue(earliest >= kept.getStep(), "step " + earliest + " after " + kept.getStep());
    }

    @Test
    void aNewJobStartsFromAnothersCheckpointAndNotFromAnotherProblems() throws Exception {
        PodJob first = start("first", heat("6f2c6a0e-0000-4000-8000-000000000003"));
        startWorkers(first, 0);
        eventually.leader(first, VolumeIT::iterates);
        assertTrue(first.leader().checkpoint(ANSWER).getKept());
        first.killAll();

        JobDescription.Builder next = heat("6f2c6a0e-0000-4000-8000-000000000004").toBuilder()
                .setCheckpointFolder(folder.resolve("next").toString())
                .setRestoreFolder(folder.resolve("volume").toString());
        PodJob second = start("second", next.build());
        startWorkers(second, 0);
        StatusReply status = eventually.leader(second, s -> s.getSid() > 0);
        assertTrue(status.getResidual() <= residual(newest()), status + " after " + newest());
        second.killAll();

        PodJob other = start(
                "other",
                next.putParameters(
                                "points",
                                ParameterValue.newBuilder().setWhole(25).build())
                        .build());
        startWorkers(other, 0);
        StatusReply failed = eventually.get(() ->
                Optional.of(other.spawner("heat-s-0").status(0)).filter(s -> s.getPhase() == Phase.PHASE_FINISHED));
        assertEquals(
                "spec.restoreFrom leads to a checkpoint of job heat that has spec.problem.parameters.points 24, and 25 in"
                        + " this job; restore one of the same problem and blocks, or remove it",
                failed.getOutcome().getFailed().getReason());
    }

    private PodJob start(String name, JobDescription description) throws Exception {
        return jobs.create(Files.createDirectory(folder.resolve(name)), description);
    }

    /** A spawner and two daemons, in their so-manieth life. */
    private static void startWorkers(PodJob job, int life) throws Exception {
        String suffix = Integer.toString(life);
        job.start("spawner", "heat-s-" + suffix, SPAWNER, SPAWNER);
        job.start("daemon", "heat-d-" + 2 * life, "127.0.2.21", SPAWNER);
        job.start("daemon", "heat-d-" + (2 * life + 1), "127.0.2.22", SPAWNER);
    }

    private JobDescription heat(String uid) {
        // About 500 iterations to two digits, of 20 ms each.
        return description(uid).build();
    }

    private JobDescription marching(String uid) {
        return description(uid)
                .setProblem("heat2d-implicit")
                .clearParameters()
                .putParameters(
                        "points", ParameterValue.newBuilder().setWhole(24).build())
                .putParameters("steps", ParameterValue.newBuilder().setWhole(12).build())
                .putParameters(
                        "stepLength", ParameterValue.newBuilder().setReal(5e-4).build())
                .putParameters(
                        "method",
                        ParameterValue.newBuilder().setText("PointJacobi").build())
                .setTolerance("1e-6")
                .build();
    }

    private JobDescription.Builder description(String uid) {
        return PodJobFixture.heat(uid)
                .putParameters(
                        "boundary",
                        ParameterValue.newBuilder().setText("Series").build())
                .setTolerance("1e-2")
                .setExpectedSpawners(1)
                .putIterationMicros("*", 20_000)
                .setCheckpointFolder(folder.resolve("volume").toString());
    }

    /** The newest manifest of the first job; those who were killed may have kept one more than they were asked for. */
    private JsonObject newest() throws IOException {
        try (Stream<Path> files = Files.list(folder.resolve("volume").resolve("1"))) {
            Path newest = files.filter(file -> file.toString().endsWith(".json"))
                    .max(Comparator.comparingLong(VolumeIT::number))
                    .orElseThrow();
            return JsonParser.parseString(Files.readString(newest)).getAsJsonObject();
        }
    }

    private static long number(Path manifest) {
        return Long.parseLong(manifest.getFileName().toString().replace(".json", ""));
    }

    private static double residual(JsonObject manifest) {
        return manifest.getAsJsonObject("record").get("residual").getAsDouble();
    }

    private static long iterations(JsonObject manifest) {
        return manifest.getAsJsonArray("iterations").asList().stream()
                .mapToLong(each -> each.getAsLong())
                .sum();
    }

    private static boolean iterates(StatusReply status) {
        return status.getEventsList().stream()
                .anyMatch(event -> event.getEvent().hasAllIterating());
    }
}
