// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh;

import dev.volary.mesh.link.MeshConfig;
import dev.volary.mesh.link.MeshListener;
import dev.volary.mesh.tls.CertificateAuthority;
import dev.volary.mesh.tls.SpiffeId;
import dev.volary.mesh.transport.ByteArrayMessage;
import dev.volary.mesh.transport.EventLoop;
import dev.volary.mesh.transport.MessageStream;
import dev.volary.mesh.transport.Transport;
import dev.volary.mesh.v1.Hello;
import dev.volary.mesh.v1.Member;
import dev.volary.protocol.model.Address;
import dev.volary.protocol.model.GroupTerm;
import dev.volary.protocol.model.Incarnation;
import dev.volary.protocol.model.WorkerId;
import dev.volary.protocol.model.WorkerRole;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** Workers of one job in this JVM, with real sockets and certificates. */
final class TestJob implements AutoCloseable {
    static final long HASH = 0x1234_5678_9abc_def0L;
    static final Incarnation FIRST = new Incarnation(new GroupTerm(1, new WorkerId(99)), 1);
    static final Incarnation SECOND = new Incarnation(new GroupTerm(1, new WorkerId(99)), 2);

    private final CertificateAuthority authority;
    private final List<Mesh> meshes = new ArrayList<>();

    TestJob() throws GeneralSecurityException {
        this("heat");
    }

    TestJob(String name) throws GeneralSecurityException {
        authority = new CertificateAuthority("default", name);
    }

    Mesh daemon(long id, MeshListener listener) throws IOException, GeneralSecurityException {
        return daemon(id, listener, config -> config.bulkShare(0));
    }

    Mesh daemon(long id, MeshListener listener, UnaryOperator<MeshConfig.Builder> change)
            throws IOException, GeneralSecurityException {
        return start(id, WorkerRole.DAEMON, "daemon-" + id, listener, change);
    }

    Mesh spawner(long id, MeshListener listener, UnaryOperator<MeshConfig.Builder> change)
            throws IOException, GeneralSecurityException {
        return start(id, WorkerRole.SPAWNER, "spawner-" + id, listener, change);
    }

    /** A worker of this role, with a certificate of it for this name. */
    Mesh start(long id, WorkerRole role, String name, MeshListener listener, UnaryOperator<MeshConfig.Builder> change)
            throws IOException, GeneralSecurityException {
        MeshConfig.Builder config = MeshConfig.builder(new WorkerId(id), role, "127.0.0.1", HASH);
        Mesh mesh = Mesh.start(
                change.apply(config).build(),
                authority.issue(role == WorkerRole.DAEMON ? SpiffeId.DAEMON : SpiffeId.SPAWNER, name),
                listener);
        meshes.add(mesh);
        return mesh;
    }

    /** Sends raw frames to a mesh as a worker of this job. */
    void raw(long id, Mesh to, int bulkPort, EventLoop loop, List<byte[]> frames)
            throws IOException, GeneralSecurityException {
        Transport transport = new Transport(
                authority.issue("daemon", "daemon-" + id),
                1 << 20,
                Duration.ofSeconds(5),
                Duration.ofSeconds(10),
                (peer, reason) -> {});
        transport.setHello(Hello.newBuilder()
                .setProtocolVersion(1)
                .setNamespace("default")
                .setJob("heat")
                .setProblemHash(HASH)
                .setMember(Member.newBuilder()
                        .setId(id)
                        .setRole(dev.volary.mesh.v1.Role.ROLE_DAEMON)
                        .setName("daemon-" + id))
                .build());
        loop.execute(() -> transport.dial(
                Transport.Stream.BULK,
                loop,
                new Address("127.0.0.1", bulkPort),
                to.self().id().value(),
                new MessageStream.Events() {
                    @Override
                    public void opened(MessageStream stream) {
                        frames.forEach(frame -> stream.send(new ByteArrayMessage(frame, frame.length)));
                    }

                    @Override
                    public void message(MessageStream stream, InputStream message) {}

                    @Override
                    public void ready(MessageStream stream) {}

                    @Override
                    public void closed(MessageStream stream, String reason) {}
                }));
    }

    /** A port that was free a moment ago. */
    static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    @Override
    public void close() {
        meshes.forEach(Mesh::close);
    }
}
