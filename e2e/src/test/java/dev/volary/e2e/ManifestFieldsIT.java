// SPDX-License-Identifier: Apache-2.0
package dev.volary.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Fields of a manifest that mean on a cluster what they mean to the command line. */
@OnSharedCluster
class ManifestFieldsIT {
    /** The Jacobi iteration of this matrix has the spectral radius 2. */
    private static final String DIVERGES = """
            %%MatrixMarket matrix coordinate real general
            4 4 8
            1 1 1
            1 3 2
            2 2 1
            2 4 2
            3 3 1
            3 1 2
            4 4 1
            4 2 2
            """;

    /** A block that is the whole matrix cannot be factorized. */
    private static final String SINGULAR = """
            %%MatrixMarket matrix coordinate real general
            2 2 4
            1 1 1
            1 2 1
            2 1 1
            2 2 1
            """;

    /** Exit code of a command about a job that did not reach its tolerance. */
    private static final int NOT_CONVERGED = 3;

    @TempDir
    Path folder;

    @Test
    void thirtyThreeDaemonsAreNotLeftToOneSpawner() {
        IOException refused = assertThrows(IOException.class, () -> {
            try (ClusterJob job = new ClusterJob("too-few", """
                    problem: {type: heat2d, parameters: {points: 64}}
                    daemons: {replicas: 33}
                    spawners: {replicas: 1}
                    """)) {
                throw new AssertionError(job.name() + " is accepted");
            } finally {
                Kubectl.run("delete", "namespace", "volary-e2e-too-few", "--wait=false", "--ignore-not-found");
            }
        });
        assertTrue(
                String.valueOf(refused.getMessage())
                        .contains(
                                "spec.spawners.replicas is 1, but one spawner manages at most 32 daemons and spec.daemons"
                                        + " allows 33, standbys included; set it to 2 or leave it out"),
                refused::getMessage);
    }

    @Test
    void spawnersAreAsManyAsTheDaemonsThatTheJobMayComeToHaveNeed() throws Exception {
        String spec = Specs.few(Specs.small())
                .replace("spawners:\n  replicas: 2\n", "spawners:\n")
                .replace("replicas: 2", "replicas: 2\n  max: 65");
        try (ClusterJob job = new ClusterJob("many-spawners", spec)) {
            job.until("has three spawners", () -> job.runningSpawners().size() == 3);
            job.awaitSuccess();
            assertEquals(3, job.runningSpawners().size());
            IOException refused = assertThrows(
                    IOException.class,
                    () -> Kubectl.run("-n", job.namespace(), "scale", "ij/" + job.name(), "--replicas=66"));
            assertTrue(String.valueOf(refused.getMessage()).contains("spec.daemons.max is 65"), refused::getMessage);
        }
    }

    @Test
    void theWorkersGetTheChosenDetectorAndCertifyWithIt() throws Exception {
        String spec = Specs.few(Specs.small()).replace("convergence: {", "convergence: {detector: TreeVerification, ");
        try (ClusterJob job = new ClusterJob("tree", spec)) {
            job.awaitSuccess();
            String description = Kubectl.run(
                    "-n", job.namespace(), "get", "configmap", "volary-" + job.name() + "-job", "-o", "yaml");
            assertTrue(description.contains("DETECTOR_TREE_VERIFICATION"), description);
            Certificates.check(Fetched.of(job, folder));
        }
    }

    @Test
    @OnTestbed
    void anIterationThatMayDivergeIsRefusedUnlessTheRiskIsAccepted() throws Exception {
        SharedFolder shared = matrix(DIVERGES);
        String spec = linear("PointJacobi", 4);
        try (ClusterJob job = new ClusterJob("diverging", spec, shared.claimed("volary-e2e-diverging"))) {
            job.until("fails", () -> job.status("phase").equals("Failed"));
            String status = job.status();
            assertTrue(
                    status.contains("spec.problem fails the pre-flight check: ρ(|T|) is")
                            && status.contains("set spec.convergence.acceptRisk: true"),
                    status);
        } finally {
            SharedFolder.delete("volary-e2e-diverging");
        }
        String accepted = spec.replace("convergence: {", "convergence: {acceptRisk: true, ");
        try (ClusterJob job = new ClusterJob("risky", accepted, shared.claimed("volary-e2e-risky"))) {
            job.until("computes until it diverges", () -> job.status("phase").equals("Failed"));
            assertTrue(job.status().contains("the iteration diverges"), job.status());
        } finally {
            SharedFolder.delete("volary-e2e-risky");
        }
    }

    @Test
    void aJobThatReachesItsDeadlineKeepsItsBestAnswerHoweverLongItsWorkersTookToStart() throws Exception {
        try (ClusterJob job =
                new ClusterJob("deadline", Specs.few(Specs.lasting(900)) + "activeDeadlineSeconds: 75\n")) {
            job.until("ends", () -> job.status("phase").equals("Failed"));
            assertEquals("True NotConverged", job.condition("Failed"), () -> "it had 75 s");
            VolaryCommand.Said said = VolaryCommand.run(job, "fetch", "-o", folder.toString());
            assertEquals(NOT_CONVERGED, said.status(), said::text);
            Fetched best = Fetched.in(job, folder);
            assertTrue(best.certified() > best.tolerance(), best::toString);
            assertEquals(
                    best.certified(),
                    best.residual().norm(),
                    2 * best.residual().roundoff() + 1e-12 * best.certified());
        }
    }

    @Test
    @OnTestbed
    void aBlockThatCannotBeOpenedIsTriedAsOftenAsTheJobSays() throws Exception {
        SharedFolder shared = matrix(SINGULAR);
        String spec = linear("Direct", 1).replace("convergence: {", "convergence: {acceptRisk: true, ")
                + "failurePolicy: {blockAttempts: 1}\n";
        try (ClusterJob job = new ClusterJob("one-attempt", spec, shared.claimed("volary-e2e-one-attempt"))) {
            job.until("fails", () -> job.status("phase").equals("Failed"));
            assertTrue(job.status().contains("(tried on 1 daemons)"), job.status());
            keepsLogs(job, job.name() + "-s-0");
        } finally {
            SharedFolder.delete("volary-e2e-one-attempt");
        }
    }

    /** The pod has ended, so it needs no resources, and its log can be read. */
    private static void keepsLogs(ClusterJob job, String pod) throws Exception {
        job.until(
                "ends " + pod,
                () -> Kubectl.run(
                                "-n",
                                job.namespace(),
                                "get",
                                "pod",
                                pod,
                                "-o",
                                "jsonpath={.status.phase} {.status.reason}")
                        .equals("Failed DeadlineExceeded"));
        assertFalse(Kubectl.run("-n", job.namespace(), "logs", pod).isBlank());
    }

    private SharedFolder matrix(String text) throws IOException {
        SharedFolder shared = SharedFolder.in(folder);
        Files.writeString(shared.folder().resolve("a.mtx"), text);
        return shared;
    }

    private static String linear(String method, int blocks) {
        return Specs.few(Specs.small())
                .replace(
                        "problem: {type: heat2d, parameters: {points: 64}}",
                        "problem: {type: linear-system, parameters: {matrix: 'in:a.mtx', method: " + method + "}}\n"
                                + "inputs: [{name: in, persistentVolumeClaim: {claimName: " + SharedFolder.CLAIM
                                + "}}]\n"
                                + "blocks: " + blocks);
    }
}
