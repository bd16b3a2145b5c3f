// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.pod;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.mesh.spawnerapi.RefusedException;
import dev.volary.mesh.spawnerapi.ResultDigest;
import dev.volary.mesh.spawnerapi.SpawnerClient;
import dev.volary.mesh.v1.CheckpointReply;
import dev.volary.mesh.v1.FailureDetection;
import dev.volary.mesh.v1.FetchedFile;
import dev.volary.mesh.v1.HintKind;
import dev.volary.mesh.v1.JobDescription;
import dev.volary.mesh.v1.ParameterValue;
import dev.volary.mesh.v1.Phase;
import dev.volary.mesh.v1.StatusReply;
import dev.volary.mesh.v1.WatchStrategy;
import dev.volary.mesh.v1.WorkerStatus;
import dev.volary.solver.Block;
import dev.volary.solver.Halos;
import dev.volary.solver.Residual;
import dev.volary.solver.Resources;
import dev.volary.worker.runtime.OpenedProblem;
import dev.volary.zarr.ZarrGroup;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Workers in pod mode: real processes with real sockets, an API server that knows one Lease, and no operator that starts them. */
class PodWorkerIT {
    private static final String SPAWNERS = "127.0.0.11,127.0.0.12:7400";
    private static final String SPAWNER_0 = "127.0.0.11";
    private static final String SPAWNER_1 = "127.0.0.12";

    /** Halos of a block that has no neighbors. */
    private static final Halos NONE = new Halos() {
        @Override
        public int size() {
            return 0;
        }

        @Override
        public double[] values(int k) {
            throw new IndexOutOfBoundsException(k);
        }

        @Override
        public boolean fresh(int k) {
            throw new IndexOutOfBoundsException(k);
        }
    };

    @TempDir
    Path folder;

    @RegisterExtension
    final PodJobFixture jobs = new PodJobFixture();

    private final Eventually eventually = jobs.eventually();

    @Test
    void aJobSurvivesTheDeathOfADaemonAndOfTheApiServerAndItsResultIsFetched() throws Exception {
        // Iterations of 20 ms each, to a tolerance that outlasts a kill and its replacement on a busy machine.
        PodJob job =
                start(description(20_000, true).toBuilder().setTolerance("1e-5").build());
        job.start("daemon", "heat-d-0", "127.0.0.21", SPAWNERS);
        job.start("daemon", "heat-d-1", "127.0.0.22", SPAWNERS);
        job.start("daemon", "heat-d-2", "127.0.0.23", SPAWNERS);
        StatusReply running = eventually.leader(job, status -> iterates(status) && report(job, 3));
        assertEquals(
                Long.toString(running.getTerm()),
                job.api()
                        .lease("science", "heat")
                        .getAsJsonObject("spec")
                        .get("leaseTransitions")
                        .toString());

        // From here to the replacement the API server is away, and no worker notices.
        job.api().goAway();

        SpawnerClient leader = job.leader();
        CheckpointReply snapshot = leader.checkpoint(Duration.ofSeconds(60));
        assertTrue(snapshot.getResidual() > 0 && Double.isFinite(snapshot.getResidual()), snapshot.toString());
        SpawnerClient other = leader == job.spawner("heat-s-0") ? job.spawner("heat-s-1") : job.spawner("heat-s-0");
        assertThrows(RefusedException.class, () -> other.checkpoint(Duration.ofSeconds(10)));

        assertEquals(200, http("127.0.0.21", "/readyz").statusCode());
        String victim = computing(job);
        job.pod(victim).kill();
        // The operator sends the hint to every spawner, since it does not know whose daemon it was.
        boolean first = job.spawner("heat-s-0").hint(victim, HintKind.HINT_ENDED);
        boolean second = job.spawner("heat-s-1").hint(victim, HintKind.HINT_ENDED);
        assertTrue(first || second, "no spawner knows " + victim);
        String metrics = eventually.get(() -> {
            String both = http(SPAWNER_0, "/metrics").body()
                    + http(SPAWNER_1, "/metrics").body();
            return both.contains("volary_recovery_seconds_count 1") ? Optional.of(both) : Optional.empty();
        });
        assertTrue(metrics.contains("volary_replacements_total{cause=\"dead\"} 1.0"), metrics);
        job.api().comeBack();

        StatusReply over =
                eventually.leader(job, status -> status.getPhase() == Phase.PHASE_FINISHED && status.getResultReady());
        assertTrue(over.getOutcome().hasCertified(), over.toString());
        double certified = over.getOutcome().getCertified().getResidual();
        assertTrue(certified <= over.getTolerance(), over.toString());

        Path home = folder.resolve("home");
        List<FetchedFile> files = job.leader().fetch(home);
        assertTrue(files.size() > 1, files.toString());
        Residual residual = residual(home);
        assertEquals(certified, residual.norm(), 2 * residual.roundoff() + 1e-12 * certified);
        // Sent is not fetched: the spawners keep the result until the client has made it durable.
        assertFalse(job.leader().status(0).getResultFetched());
        assertThrows(RefusedException.class, () -> job.leader().acknowledge("of another result"));
        assertFalse(job.leader().status(0).getResultFetched());
        job.leader().acknowledge(ResultDigest.of(files));
        job.leader().acknowledge(ResultDigest.of(files));
        assertTrue(job.leader().status(0).getResultFetched());

        // A container that starts again after the end keeps the result, and does not run the job a second time.
        String leading = over.getSelf().getName();
        job.pod(leading).close();
        job.start("spawner", leading, leading.equals("heat-s-0") ? SPAWNER_0 : SPAWNER_1, SPAWNERS);
        StatusReply again =
                eventually.get(() -> Optional.of(job.spawner(leading).status(0)));
        assertEquals(Phase.PHASE_FINISHED, again.getPhase());
        assertEquals(certified, again.getOutcome().getCertified().getResidual());
        assertEquals(
                files.size(),
                job.spawner(leading).fetch(folder.resolve("again")).size());
    }

    @Test
    void aDaemonThatMustLeaveHandsOverItsBlocksToAnother() throws Exception {
        PodJob job = start(description(20_000, true));
        job.start("daemon", "heat-d-0", "127.0.0.21", SPAWNERS);
        job.start("daemon", "heat-d-1", "127.0.0.22", SPAWNERS);
        job.start("daemon", "heat-d-2", "127.0.0.23", SPAWNERS);
        eventually.leader(job, status -> iterates(status) && report(job, 3));
        String leaving = computing(job);
        job.pod(leaving).terminate();
        job.pod(leaving).status();
        assertTrue(
                job.pod(leaving).output().contains("everything is handed over"),
                job.pod(leaving).output());
        StatusReply over = eventually.leader(job, status -> status.getPhase() == Phase.PHASE_FINISHED);
        assertTrue(over.getOutcome().hasCertified(), over.toString());
    }

    @Test
    void evictedWorkersRestartInTheirProcesses() throws Exception {
        PodJob job = start(description(20_000, false).toBuilder()
                .setTolerance("1e-8")
                .setFailureDetection(FailureDetection.newBuilder()
                        .setStrategy(WatchStrategy.WATCH_STRATEGY_RING)
                        .setTimeoutMillis(1_000))
                .build());
        job.start("daemon", "heat-d-0", "127.0.0.21", SPAWNERS);
        job.start("daemon", "heat-d-1", "127.0.0.22", SPAWNERS);
        job.start("daemon", "heat-d-2", "127.0.0.23", SPAWNERS);
        StatusReply running = eventually.leader(job, status -> iterates(status) && report(job, 3));
        String leader = running.getSelf().getName();
        String other = leader.equals("heat-s-0") ? "heat-s-1" : "heat-s-0";
        List<String> frozen = List.of(other, computing(job));
        for (String pod : frozen) {
            job.pod(pod).freeze();
        }
        eventually.leader(
                job,
                status -> status.getSpawnersCount() == 1
                        && status.getParkedBlocks() == 0
                        && status.getWorkersList().stream().noneMatch(worker -> frozen.contains(worker.getPod())));
        for (String pod : frozen) {
            job.pod(pod).thaw();
        }
        for (String pod : frozen) {
            eventually.get(() -> Optional.of(job.pod(pod).output())
                    .filter(output -> output.contains("restarting with a new identity")));
        }
        StatusReply again =
                eventually.leader(job, status -> status.getSpawnersCount() == 2 && status.getParkedBlocks() == 0);
        assertEquals(leader, again.getSelf().getName());
        for (String pod : frozen) {
            assertTrue(job.pod(pod).isAlive(), job.output());
        }
    }

    @Test
    void killingOnDemandNeedsPermissionAndSigtermEndsASpawnerAtOnce() throws Exception {
        PodJob job = start(description(50_000, false));
        job.start("daemon", "heat-d-0", "127.0.0.21", SPAWNERS);
        job.start("daemon", "heat-d-1", "127.0.0.22", SPAWNERS);
        eventually.leader(job, PodWorkerIT::iterates);
        String refusal = String.valueOf(
                assertThrows(RefusedException.class, () -> job.leader().kill(List.of("heat-d-0")))
                        .getMessage());
        assertTrue(refusal.contains("spec.chaos.allowed"), refusal);
        job.pod("heat-s-1").terminate();
        job.pod("heat-s-1").status();
        assertFalse(job.pod("heat-s-1").isAlive());
    }

    @Test
    void killingOnDemandEndsExactlyTheNamedWorkers() throws Exception {
        PodJob job = start(description(50_000, true));
        job.start("daemon", "heat-d-0", "127.0.0.21", SPAWNERS);
        job.start("daemon", "heat-d-1", "127.0.0.22", SPAWNERS);
        eventually.leader(job, status -> iterates(status) && report(job, 2));
        boolean killed = false;
        for (String spawner : List.of("heat-s-0", "heat-s-1")) {
            killed |= job.spawner(spawner)
                    .kill(List.of("heat-d-1", "nobody"))
                    .getKilledList()
                    .contains("heat-d-1");
        }
        assertTrue(killed, job.output());
        assertEquals(128 + 9, job.pod("heat-d-1").status());
        assertTrue(job.pod("heat-d-0").isAlive());
        assertEquals(
                List.of("heat-s-1"),
                job.spawner("heat-s-1").kill(List.of("heat-s-1")).getKilledList());
        assertEquals(128 + 9, job.pod("heat-s-1").status());
    }

    @Test
    void anUnattainableToleranceFailsTheJobWithTheNumbers() throws Exception {
        PodJob job =
                start(description(0, false).toBuilder().setTolerance("1e-30").build());
        StatusReply failed =
                eventually.get(() -> Optional.of(job.spawner("heat-s-0").status(0))
                        .filter(status -> status.getPhase() == Phase.PHASE_FINISHED));
        String reason = failed.getOutcome().getFailed().getReason();
        assertTrue(reason.contains("spec.convergence.tolerance") && reason.contains("1e-30"), reason);
        assertThrows(RefusedException.class, () -> job.spawner("heat-s-0").fetch(folder.resolve("home")));
    }

    private PodJob start(JobDescription description) throws Exception {
        PodJob job = jobs.create(folder, description);
        job.start("spawner", "heat-s-0", SPAWNER_0, SPAWNERS);
        job.start("spawner", "heat-s-1", SPAWNER_1, SPAWNERS);
        return job;
    }

    private static JobDescription description(long iterationMicros, boolean chaos) {
        JobDescription.Builder job = PodJobFixture.heat("6f2c6a0e-0000-4000-8000-000000000001")
                .putParameters(
                        "boundary",
                        ParameterValue.newBuilder().setText("Series").build())
                .putParameters(
                        "method",
                        ParameterValue.newBuilder().setText("PointJacobi").build())
                .setTolerance("1e-2")
                .setExpectedSpawners(2)
                .setChaosAllowed(chaos);
        if (iterationMicros > 0) {
            job.putIterationMicros("*", iterationMicros);
        }
        return job.build();
    }

    private static boolean iterates(StatusReply status) {
        return status.getIterations() > 0
                && status.getEventsList().stream()
                        .anyMatch(event -> event.getEvent().hasAllIterating());
    }

    /** Whether the spawners have this number of daemons in their groups. */
    private static boolean report(PodJob job, int daemons) {
        try {
            int reporting = 0;
            for (String spawner : List.of("heat-s-0", "heat-s-1")) {
                reporting += job.spawner(spawner).status(0).getWorkersCount();
            }
            return reporting == daemons;
        } catch (IOException e) {
            return false;
        }
    }

    /** A daemon that computes, and is not alone in its group: groups do not lend each other daemons. */
    private static String computing(PodJob job) throws IOException {
        for (String spawner : List.of("heat-s-0", "heat-s-1")) {
            List<WorkerStatus> group = job.spawner(spawner).status(0).getWorkersList();
            for (WorkerStatus worker : group) {
                if (!worker.getStandby() && group.size() > 1) {
                    return worker.getPod();
                }
            }
        }
        throw new IllegalStateException("no daemon computes");
    }

    private static HttpResponse<String> http(String address, String path) throws Exception {
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(
                    HttpRequest.newBuilder(URI.create("http://" + address + ":7403" + path))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
        }
    }

    /** Computed by the problem itself, on one block that is the whole plate. */
    private static Residual residual(Path home) throws Exception {
        assertTrue(Files.isDirectory(home.resolve("result.zarr")));
        ZarrGroup group = ZarrGroup.open(home.resolve("result.zarr"));
        double[] u = group.array(group.arrays().getFirst()).readAll();
        OpenedProblem whole = OpenedProblem.open(
                description(0, false).toBuilder().setBlocks(1).build());
        Block block = whole.model().block(whole.decomposition(), 0, Resources.SINGLE);
        return block.residual(u, NONE);
    }
}
