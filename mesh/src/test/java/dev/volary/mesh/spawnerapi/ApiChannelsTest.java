// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.spawnerapi;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.mesh.Mesh;
import dev.volary.mesh.link.MeshConfig;
import dev.volary.mesh.tls.CertificateAuthority;
import dev.volary.mesh.tls.Identity;
import dev.volary.mesh.tls.SpiffeId;
import dev.volary.mesh.v1.Phase;
import dev.volary.mesh.v1.StatusReply;
import dev.volary.protocol.model.Address;
import dev.volary.protocol.model.WorkerId;
import dev.volary.protocol.model.WorkerRole;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.ServerSocket;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a client of the calls demands of the certificate at the other end, over real connections. */
class ApiChannelsTest {
    private static final StatusReply RUNNING =
            StatusReply.newBuilder().setPhase(Phase.PHASE_RUNNING).build();

    private final CertificateAuthority authority = authority("heat");
    private final ApiChannels channels = new ApiChannels("calls");

    private static CertificateAuthority authority(String job) {
        try {
            return new CertificateAuthority("ns", job);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    @AfterEach
    void close() {
        channels.close();
    }

    @Test
    void aSpawnerIsAsked() throws Exception {
        try (Mesh server = serve(SpiffeId.SPAWNER);
                SpawnerClient client = channels.spawner(address(server), identity(authority))) {
            assertEquals(RUNNING, client.status(0));
        }
    }

    /** gRPC by itself waits for 1 s, 1.6 s, 2.6 s and so on: eight attempts would take 26 s. */
    @Test
    void eachCallToASpawnerThatIsNotThereYetConnects() throws Exception {
        AtomicInteger connected = new AtomicInteger();
        try (ServerSocket notASpawner = new ServerSocket(0);
                SpawnerClient client =
                        channels.spawner(new Address("127.0.0.1", notASpawner.getLocalPort()), identity(authority))) {
            Thread.startVirtualThread(() -> {
                while (acceptAndClose(notASpawner)) {
                    connected.incrementAndGet();
                }
            });
            await().pollInterval(Duration.ofMillis(20)).until(() -> {
                assertThrows(IOException.class, () -> client.status(0));
                return connected.get() >= 8;
            });
        }
    }

    private static boolean acceptAndClose(ServerSocket server) {
        try {
            server.accept().close();
            return true;
        } catch (IOException closed) {
            return false;
        }
    }

    /** The endpoint would answer: it is the client that refuses it. */
    @ParameterizedTest
    @ValueSource(strings = {SpiffeId.DAEMON, SpiffeId.OPERATOR})
    void anotherWorkerAtTheAddressOfASpawnerIsNotAsked(String role) throws Exception {
        try (Mesh server = serve(role);
                SpawnerClient client = channels.spawner(address(server), identity(authority))) {
            assertEquals(
                    address(server) + " is not trusted: the identity proven is spiffe://volary.local/ns/ns/job/heat/"
                            + role + "/there, must have one of the roles [spawner]",
                    assertThrows(IOException.class, () -> client.status(0)).getMessage());
        }
    }

    @Test
    void requestsToWorkersGoToBothRolesAndNotToAnOperator() throws Exception {
        for (String role : List.of(SpiffeId.SPAWNER, SpiffeId.DAEMON)) {
            try (Mesh server = serve(role);
                    WorkerClient client = channels.worker(address(server), identity(authority))) {
                // It is reached, and does not let an operator call this.
                assertThrows(RefusedException.class, client::leave);
            }
        }
        try (Mesh server = serve(SpiffeId.OPERATOR);
                WorkerClient client = channels.worker(address(server), identity(authority))) {
            String message = String.valueOf(
                    assertThrows(IOException.class, client::leave).getMessage());
            assertTrue(message.endsWith("must have one of the roles [daemon, spawner]"), message);
        }
    }

    @Test
    void aSpawnerOfAnotherJobIsNotAsked() throws Exception {
        try (Mesh server = serve(SpiffeId.SPAWNER);
                SpawnerClient client = channels.spawner(address(server), identity(authority("pipe")))) {
            String message = String.valueOf(
                    assertThrows(IOException.class, () -> client.status(0)).getMessage());
            assertTrue(message.contains("is not trusted: certificate is not signed by the authority of"), message);
        }
    }

    /** An answer that is lost with the process would say that nothing was killed. */
    @Test
    void aWorkerEndsOnceItsAnswerIsSent() throws Exception {
        List<String> order = new CopyOnWriteArrayList<>();
        WorkerApi worker = new WorkerApi() {
            @Override
            public CompletableFuture<Void> halt(CompletableFuture<Void> answered) {
                var _ = answered.thenRun(() -> order.add("ends"));
                return CompletableFuture.runAsync(() -> order.add("answers"));
            }

            @Override
            public CompletableFuture<Void> leave() {
                throw new IllegalStateException("leave is not served here");
            }
        };
        try (Mesh server = serve(SpiffeId.DAEMON, worker);
                WorkerClient client = channels.worker(address(server), authority.issue(SpiffeId.SPAWNER, "here"))) {
            client.halt();
            await().until(() -> order.equals(List.of("answers", "ends")));
        }
    }

    private static Identity identity(CertificateAuthority issuer) throws GeneralSecurityException {
        return issuer.issue(SpiffeId.OPERATOR, "volary");
    }

    private static Address address(Mesh server) {
        return server.self().address();
    }

    /** A worker with a certificate of this role that answers calls for the status as a spawner does. */
    private Mesh serve(String role) throws IOException, GeneralSecurityException {
        return serve(role, answering(WorkerApi.class));
    }

    private Mesh serve(String role, WorkerApi worker) throws IOException, GeneralSecurityException {
        Identity identity = authority.issue(role, "there");
        return Mesh.start(
                MeshConfig.builder(new WorkerId(1), WorkerRole.SPAWNER, "127.0.0.1", 1)
                        .build(),
                identity,
                (from, message) -> {},
                List.of(
                        SpawnerGrpcService.spawner(identity.id(), answering(SpawnerApi.class)),
                        SpawnerGrpcService.worker(identity.id(), worker)),
                List.of());
    }

    private static <T> T answering(Class<T> api) {
        return api.cast(
                Proxy.newProxyInstance(api.getClassLoader(), new Class<?>[] {api}, (proxy, method, arguments) -> {
                    if (method.getName().equals("status")) {
                        return CompletableFuture.completedFuture(RUNNING);
                    }
                    throw new IllegalStateException(method.getName() + " is not served here");
                }));
    }
}
