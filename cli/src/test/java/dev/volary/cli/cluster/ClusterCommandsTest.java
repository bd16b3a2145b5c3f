// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.cluster;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.cli.Volary;
import dev.volary.cli.cluster.client.ClusterClient;
import dev.volary.cli.console.Style;
import dev.volary.cli.console.UsageException;
import dev.volary.job.resource.DaemonStatus;
import dev.volary.job.resource.IterativeJob;
import dev.volary.job.resource.JobStatus;
import dev.volary.job.resource.JobStatusBuilder;
import dev.volary.job.resource.Labels;
import dev.volary.job.resource.Names;
import dev.volary.job.resource.Phase;
import dev.volary.job.testkit.LocalApiServer;
import dev.volary.job.testkit.NeedsApiServer;
import dev.volary.mesh.tls.CertificateAuthority;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import io.fabric8.kubernetes.api.model.MicroTime;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.events.v1.EventBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The commands for a cluster against a real API server; what operator, spawners and kubelets would do, the test does. */
@NeedsApiServer
class ClusterCommandsTest {
    private static final String VOLUME = "  checkpoint: {volume: {persistentVolumeClaim: {claimName: states}}}\n";

    private static LocalApiServer server;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private String namespace = "";

    @BeforeAll
    static void start() throws IOException, InterruptedException {
        server = LocalApiServer.start();
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            server.close();
        }
    }

    @BeforeEach
    void ownNamespace() {
        namespace = server.namespace();
    }

    @Test
    void aNewJobIsPending() {
        create("");
        assertEquals(0, run("status", "heat"), err::toString);
        assertTrue(
                out.toString()
                        .startsWith("heat (namespace " + namespace
                                + "): Pending\n  the operator has not accepted the job yet\n"),
                out.toString());
    }

    @Test
    void statusSaysWhatTheOperatorSays() {
        create("");
        status(draft -> {
            draft.phase = Phase.Running;
            draft.certifiedResidual = "3.1e-05";
            draft.daemons = new DaemonStatus(4, 4, 3, 1);
            draft.replacements = JobStatus.Replacements.of(1, 2, 0);
            draft.leader = "heat-s-1";
        });
        assertEquals(0, run("status", "heat"), err::toString);
        assertEquals("""
                heat (namespace %s): Running
                  problem             heat2d
                  certified residual  3.1e-05, tolerance 1e-6 (relative)
                  daemons             3 of 4 compute, 1 on standby
                  replaced            3 workers: 2 disrupted, 0 failed, 1 deleted
                  leader              heat-s-1
                """.formatted(namespace), out.toString());
    }

    @Test
    void statusForPrograms() {
        create("");
        status(draft -> draft.phase = Phase.Forming);
        assertEquals(0, run("status", "heat", "-o", "json"), err::toString);
        assertTrue(out.toString().contains("\"phase\" : \"Forming\""), out.toString());
        assertEquals(0, run("status", "heat", "-o", "yaml"), err::toString);
        assertTrue(out.toString().contains("phase: \"Forming\""), out.toString());
        assertEquals(2, run("status", "heat", "-o", "xml"));
        assertTrue(err.toString().contains("-o"), err.toString());
    }

    @Test
    void anUnknownJobIsBadInputAndItsLikesAreNamed() {
        create("");
        assertEquals(2, run("status", "heta"));
        assertEquals(
                "error: there is no job heta in namespace " + namespace + "; did you mean heat? its jobs: heat\n",
                err.toString());
    }

    @Test
    void anUnknownContextIsBadInput() {
        assertEquals(2, run("status", "heat", "--context", "elsewhere"));
        assertTrue(
                err.toString()
                        .startsWith("error: --context is elsewhere, which is not in the kubeconfig; its contexts: "),
                err.toString());
    }

    @Test
    void aMissingKubeconfigIsBadInput() {
        int code = Volary.commandLine(Style.PLAIN)
                .setErr(new PrintWriter(err, true))
                .execute("status", "heat", "--kubeconfig", "none.yaml");
        assertEquals(2, code);
        assertEquals("error: --kubeconfig is none.yaml, which cannot be read; check the path\n", err.toString());
    }

    @Test
    void aUserWithoutAPermissionSeesWhichOneIsMissing() {
        create("");
        Config stranger = server.config();
        stranger.setImpersonateUsername("nobody");
        try (ClusterClient cluster = new ClusterClient(stranger, Optional.of(namespace))) {
            UsageException refused = assertThrows(UsageException.class, () -> cluster.job("heat"));
            assertTrue(
                    String.valueOf(refused.getMessage())
                            .startsWith("you may not read IterativeJobs in namespace " + namespace),
                    refused.getMessage());
        }
    }

    @Test
    void suspendAndResumeChangeTheJob() {
        create(VOLUME);
        assertEquals(0, run("suspend", "heat"), err::toString);
        assertTrue(job().getSpec().suspend());
        assertEquals(0, run("suspend", "heat"), err::toString);
        assertEquals("heat: spec.suspend is already true; the phase is Pending\n", out.toString());
        assertEquals(0, run("resume", "heat"), err::toString);
        assertFalse(job().getSpec().suspend());
    }

    @Test
    void aJobWithoutAVolumeCannotBeSuspendedAndTheRuleSaysWhy() {
        create("");
        assertEquals(2, run("suspend", "heat"));
        assertTrue(err.toString().contains("give spec.checkpoint.volume"), err.toString());
        assertFalse(job().getSpec().suspend());
    }

    @Test
    void aJobThatHasEndedIsNotSuspended() {
        create(VOLUME);
        status(draft -> draft.phase = Phase.Succeeded);
        assertEquals(2, run("suspend", "heat"));
        assertEquals(
                "error: job heat is Succeeded, which is final; only a job that has not ended can be suspended\n",
                err.toString());
    }

    @Test
    void checkpointWaitsForTheAnswer() {
        create("");
        status(draft -> draft.phase = Phase.Running);
        CompletableFuture<Void> operator = answer(draft -> draft.lastCheckpointTime = "2026-11-21T12:00:00Z");
        assertEquals(0, run("checkpoint", "heat", "--timeout", "30"), err::toString);
        assertEquals("heat: snapshot taken at 2026-11-21T12:00:00Z\n", out.toString());
        operator.join();
    }

    @Test
    void aRefusedCheckpointSaysWhatTheOperatorsEventSays() {
        create("");
        status(draft -> draft.phase = Phase.Running);
        event("heat.1", "heat-s-0: of an earlier request");
        CompletableFuture<Void> operator = answer(draft -> event("heat.2", "heat-s-0: there is no leader"));
        assertEquals(1, run("checkpoint", "heat", "--timeout", "30"));
        assertEquals("error: no snapshot was taken: heat-s-0: there is no leader\n", err.toString());
        operator.join();
    }

    @Test
    void aCheckpointWithoutAnAnswerEndsWithTheTimeout() {
        create("");
        status(draft -> draft.phase = Phase.Running);
        assertEquals(1, run("checkpoint", "heat", "--timeout", "1"));
        assertTrue(err.toString().startsWith("error: no answer within 1 s (--timeout)"), err.toString());
    }

    @Test
    void onlyARunningJobTakesASnapshot() {
        create("");
        assertEquals(2, run("checkpoint", "heat"));
        assertTrue(err.toString().startsWith("error: job heat is Pending; only a Running job"), err.toString());
    }

    @Test
    void killIsRefusedUnlessTheJobAllowsChaos() {
        create("");
        assertEquals(2, run("kill", "heat", "--daemons", "1"));
        assertEquals(
                "error: job heat does not allow it: spec.chaos.allowed is false and cannot be changed;"
                        + " create a job with true\n",
                err.toString());
    }

    @Test
    void killWantsToKnowWhom() {
        create("  chaos: {allowed: true}\n");
        assertEquals(2, run("kill", "heat"));
        assertEquals(2, run("kill", "heat", "--spawner", "--daemons", "1"));
        assertEquals(2, run("kill", "heat", "--daemons", "1"));
        assertTrue(err.toString().startsWith("error: job heat has no running spawner"), err.toString());
    }

    @Test
    void aLostResultIsReportedAsLost() {
        create("");
        status(draft -> {
            draft.phase = Phase.Succeeded;
            draft.conditions = List.of(new ConditionBuilder()
                    .withType("ResultAvailable")
                    .withStatus("False")
                    .withReason("ResultLost")
                    .withMessage("no spawner that holds the result is left; delete the job and apply it again")
                    .withLastTransitionTime("2026-11-21T12:00:00Z")
                    .build());
        });
        assertEquals(0, run("status", "heat"), err::toString);
        assertTrue(
                out.toString()
                        .contains(
                                "result              lost: no spawner that holds the result is left; delete the job and apply it again"),
                out.toString());
        assertEquals(1, run("fetch", "heat"));
        assertEquals(
                "error: the result of job heat is lost: no spawner that holds it is left; apply the job again\n",
                err.toString());
    }

    @Test
    void aFetchedResultIsNotReportedAsLost() {
        create("");
        status(draft -> {
            draft.phase = Phase.Succeeded;
            draft.resultFetched = true;
        });
        assertEquals(1, run("fetch", "heat"));
        assertTrue(err.toString().contains("was fetched, and its spawners have ended"), err.toString());
    }

    @Test
    void describeShowsTheHistoryAlsoWhereNoSpawnerRuns() {
        create("");
        status(draft -> {
            draft.phase = Phase.Pending;
            draft.stateTransitions =
                    List.of(new JobStatus.Transition(Phase.Pending, "2026-11-21T12:00:00Z", "Accepted", "taken up"));
        });
        assertEquals(0, run("describe", "heat"), err::toString);
        assertTrue(out.toString().contains("Pending  2026-11-21T12:00:00Z  Accepted  taken up"), out.toString());
        assertTrue(err.toString().startsWith("notice: no block map: job heat has no running spawner"), err.toString());
    }

    @Test
    void aResultIsFetchedOnlyOfWhatHasEnded() {
        create("");
        assertEquals(2, run("fetch", "heat"));
        assertTrue(
                err.toString().startsWith("error: job heat is Pending, so it has no result yet; wait with"),
                err.toString());
    }

    @Test
    void logsOfAJobWithoutPodsAreBadInput() {
        create("");
        assertEquals(2, run("logs", "heat", "--role", "daemon"));
        assertTrue(err.toString().startsWith("error: job heat has no daemon pods"), err.toString());
    }

    @Test
    void podsAndSecretsThatAnEarlierJobOfTheNameLeftAreNotTakenForThisJobs() throws Exception {
        create("");
        IterativeJob earlier = job();
        CertificateAuthority old = new CertificateAuthority(
                namespace, "heat", earlier.getMetadata().getUid());
        server.client()
                .resource(new PodBuilder()
                        .withMetadata(owned(earlier, "heat-s-0", Labels.of("heat", "spawner")))
                        .withNewSpec()
                        .addNewContainer()
                        .withName("worker")
                        .withImage("worker")
                        .endContainer()
                        .endSpec()
                        .build())
                .create();
        secret(earlier, "volary-heat-ca", old);
        assertEquals(0, run("logs", "heat"), err::toString);
        try (ClusterClient cluster = new ClusterClient(server.config(), Optional.of(namespace))) {
            assertEquals(old.certificatePem(), cluster.authority(job()).certificatePem());
        }

        handle().delete();
        await().until(() -> handle().get() == null);
        create("");
        assertEquals(2, run("logs", "heat"));
        assertTrue(err.toString().startsWith("error: job heat has no pods"), err.toString());
        try (ClusterClient cluster = new ClusterClient(server.config(), Optional.of(namespace))) {
            assertEquals(List.of(), cluster.pods(job(), Optional.empty()));
            UsageException refused = assertThrows(UsageException.class, () -> cluster.authority(job()));
            assertTrue(
                    String.valueOf(refused.getMessage())
                            .startsWith("secret volary-heat-ca does not belong to this job"),
                    refused.getMessage());
            server.client()
                    .secrets()
                    .inNamespace(namespace)
                    .withName("volary-heat-ca")
                    .delete();
            secret(job(), "volary-heat-ca", old);
            UsageException copied = assertThrows(UsageException.class, () -> cluster.authority(job()));
            assertTrue(
                    String.valueOf(copied.getMessage())
                            .startsWith("secret volary-heat-ca holds the authority of another job"),
                    copied.getMessage());
        }
    }

    private void secret(IterativeJob owner, String name, CertificateAuthority authority) {
        server.client()
                .resource(new SecretBuilder()
                        .withMetadata(owned(owner, name, Labels.of("heat")))
                        .withStringData(Map.of(
                                Names.AUTHORITY_CERTIFICATE, authority.certificatePem(),
                                Names.AUTHORITY_KEY, authority.privateKeyPem()))
                        .build())
                .create();
    }

    private ObjectMeta owned(IterativeJob owner, String name, Map<String, String> labels) {
        return new ObjectMetaBuilder()
                .withName(name)
                .withNamespace(namespace)
                .withLabels(labels)
                .addNewOwnerReference()
                .withApiVersion(owner.getApiVersion())
                .withKind(owner.getKind())
                .withName(owner.getMetadata().getName())
                .withUid(owner.getMetadata().getUid())
                .withController(true)
                .endOwnerReference()
                .build();
    }

    private int run(String... arguments) {
        out.getBuffer().setLength(0);
        err.getBuffer().setLength(0);
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of("-n", namespace, "--kubeconfig", server.kubeconfig().toString()));
        return Volary.commandLine(Style.PLAIN)
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(all.toArray(String[]::new));
    }

    private void create(String more) {
        server.client().resource("""
                        apiVersion: volary.dev/v1alpha1
                        kind: IterativeJob
                        metadata: {name: heat, namespace: %s}
                        spec:
                          problem: {type: heat2d, parameters: {points: 64}}
                          convergence: {tolerance: "1e-6"}
                        """.formatted(namespace) + more).create();
    }

    private Resource<IterativeJob> handle() {
        return server.client()
                .resources(IterativeJob.class)
                .inNamespace(namespace)
                .withName("heat");
    }

    private IterativeJob job() {
        return Objects.requireNonNull(handle().get());
    }

    private void status(Consumer<JobStatusBuilder> change) {
        handle().editStatus(job -> {
            job.setStatus(StatusText.status(job).but(change));
            return job;
        });
    }

    /** As the operator answers a request for a snapshot: once it is there, in one write. */
    private CompletableFuture<Void> answer(Consumer<JobStatusBuilder> change) {
        return CompletableFuture.runAsync(() -> {
            String request = await().atMost(Duration.ofSeconds(30))
                    .until(
                            () -> job().getMetadata()
                                    .getAnnotations()
                                    .getOrDefault(IterativeJob.CHECKPOINT_REQUEST, ""),
                            value -> !value.isEmpty());
            status(draft -> {
                draft.checkpointRequest = request;
                change.accept(draft);
            });
        });
    }

    private void event(String name, String note) {
        server.client()
                .resource(new EventBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .withNamespace(namespace)
                        .endMetadata()
                        .withEventTime(new MicroTime("2026-11-21T12:00:00.000000Z"))
                        .withNewRegarding()
                        .withApiVersion("volary.dev/v1alpha1")
                        .withKind("IterativeJob")
                        .withNamespace(namespace)
                        .withName("heat")
                        .endRegarding()
                        .withReason("CheckpointRefused")
                        .withNote(note)
                        .withAction("Checkpoint")
                        .withType("Warning")
                        .withReportingController("volary.dev/operator")
                        .withReportingInstance("test")
                        .build())
                .create();
    }
}
