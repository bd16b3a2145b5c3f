// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.spawner;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.job.resource.IterativeJob;
import dev.volary.mesh.Mesh;
import dev.volary.mesh.link.MeshConfig;
import dev.volary.mesh.spawnerapi.SpawnerApi;
import dev.volary.mesh.spawnerapi.SpawnerGrpcService;
import dev.volary.mesh.tls.CertificateAuthority;
import dev.volary.mesh.tls.Identity;
import dev.volary.mesh.v1.Phase;
import dev.volary.mesh.v1.StatusReply;
import dev.volary.protocol.model.WorkerId;
import dev.volary.protocol.model.WorkerRole;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.SocketTimeoutException;
import java.security.GeneralSecurityException;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The operator's side of the spawners' service, against a real one in this process, over mutual TLS. */
class GrpcSpawnerClientsTest {
    private static final String LOOPBACK = "127.0.0.1";
    private static final List<SpawnerClients.At> AT = List.of(new SpawnerClients.At("heat-s-0", LOOPBACK));

    private final IterativeJob job = Serialization.unmarshal("""
            apiVersion: volary.dev/v1alpha1
            kind: IterativeJob
            metadata: {name: heat, namespace: lab, uid: u1}
            spec:
              problem: {type: heat2d, parameters: {points: 63}}
            """, IterativeJob.class);
    /** What the next questions for an identity end in, each once. */
    private final Queue<Exception> failing = new ArrayDeque<>();
    /** What the spawner answers next, each once; then that it runs. */
    private final Queue<CompletableFuture<StatusReply>> answers = new ArrayDeque<>();

    private CertificateAuthority authority;
    private Mesh mesh;
    private GrpcSpawnerClients spawners;

    @BeforeEach
    void start() throws IOException, GeneralSecurityException {
        authority = new CertificateAuthority("lab", "heat", "u1");
        Identity me = authority.issue("spawner", "heat-s-0");
        mesh = Mesh.start(
                MeshConfig.builder(new WorkerId(7), WorkerRole.SPAWNER, LOOPBACK, 1)
                        .build(),
                me,
                (from, message) -> {},
                List.of(SpawnerGrpcService.spawner(me.id(), calls())),
                List.of());
        spawners = new GrpcSpawnerClients(this::identity, mesh.self().address().port());
    }

    @AfterEach
    void stop() {
        spawners.close();
        mesh.close();
    }

    @Test
    void anIdentityThatCannotBeReadIsReportedWithTheReasonAndReadAgain() throws IOException {
        List<Exception> failures = List.of(
                answer(403, "secrets \"volary-heat-ca\" is forbidden"),
                answer(404, "namespaces \"lab\" not found"),
                answer(500, "etcdserver: leader changed"),
                new KubernetesClientException("Operation: [get] failed", new SocketTimeoutException("timeout")),
                new IOException("secret volary-heat-ca holds no usable authority"));
        for (Exception failure : failures) {
            failing.add(failure);
            IOException thrown = assertThrows(IOException.class, () -> spawners.report(job, AT));
            assertSame(failure, thrown.getCause());
        }
        assertEquals(
                JobReport.Stage.RUNNING, spawners.report(job, AT).orElseThrow().stage());
    }

    @Test
    void aSpawnerThatDoesNotAnswerOnceIsAskedAgain() throws IOException {
        answers.add(CompletableFuture.failedFuture(new IOException("the disk is full")));
        answers.add(CompletableFuture.failedFuture(new IllegalStateException("not now")));
        assertTrue(spawners.report(job, AT).isEmpty());
        assertTrue(spawners.report(job, AT).isEmpty());
        assertTrue(spawners.report(job, AT).isPresent());
    }

    @Test
    void aSpawnerThatMovedIsReachedAtItsNewAddress() throws IOException {
        // Nothing listens there: loopback addresses are whole machines of their own.
        assertTrue(spawners.report(job, List.of(new SpawnerClients.At("heat-s-0", "127.0.0.9")))
                .isEmpty());
        assertTrue(spawners.report(job, AT).isPresent());
    }

    @Test
    void aReplyOfAnotherJobOfTheNameIsIgnored() throws IOException {
        answers.add(CompletableFuture.completedFuture(running("u0")));
        assertFalse(spawners.report(job, AT).isPresent());
        answers.add(CompletableFuture.completedFuture(running("")));
        assertTrue(spawners.report(job, AT).isPresent(), "a worker of an earlier release names no UID");
    }

    @Test
    void aWorkerOfAnotherJobsAuthorityIsNotBelieved() throws IOException, GeneralSecurityException {
        authority = new CertificateAuthority("lab", "heat", "u2");
        assertTrue(spawners.report(job, AT).isEmpty());
    }

    @Test
    void aHintThatCannotBeForwardedIsReportedToTheCaller() throws IOException {
        failing.add(answer(403, "secrets \"volary-heat-ca\" is forbidden"));
        assertThrows(IOException.class, () -> spawners.hint(job, AT, "heat-d-0", SpawnerClients.Hint.GONE));
    }

    @Test
    void aCheckpointThatCannotBeAskedForIsRefusedWithTheReason() {
        failing.add(answer(403, "secrets \"volary-heat-ca\" is forbidden"));
        SpawnerClients.Checkpoint answer = spawners.checkpoint(job, AT);
        assertFalse(answer.taken());
        assertTrue(answer.message().contains("forbidden"), answer.message());
    }

    private Identity identity(IterativeJob of) throws IOException {
        Exception failure = failing.poll();
        switch (failure) {
            case null -> {}
            case IOException e -> throw e;
            case RuntimeException e -> throw e;
            default -> throw new IllegalStateException(failure);
        }
        try {
            return authority.issue("operator", "operator");
        } catch (GeneralSecurityException e) {
            throw new IOException(e);
        }
    }

    /** Answers for its status only; a proxy, so that this test does not change with the other calls. */
    private SpawnerApi calls() {
        return (SpawnerApi) Proxy.newProxyInstance(
                SpawnerApi.class.getClassLoader(), new Class<?>[] {SpawnerApi.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("status")) {
                        return Objects.requireNonNullElseGet(
                                answers.poll(), () -> CompletableFuture.completedFuture(running("u1")));
                    }
                    return CompletableFuture.failedFuture(new IllegalStateException(method.getName()));
                });
    }

    private static StatusReply running(String uid) {
        return StatusReply.newBuilder()
                .setJobUid(uid)
                .setPhase(Phase.PHASE_RUNNING)
                .build();
    }

    private static KubernetesClientException answer(int code, String message) {
        return new KubernetesClientException(
                new StatusBuilder().withCode(code).withMessage(message).build());
    }
}
