// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh;

import dev.volary.mesh.codec.Shapes;
import dev.volary.mesh.control.ControlPlane;
import dev.volary.mesh.control.ControlTelemetry;
import dev.volary.mesh.halo.BulkPlane;
import dev.volary.mesh.halo.LockStepReceiver;
import dev.volary.mesh.halo.LockStepSender;
import dev.volary.mesh.halo.NewestWinsReceiver;
import dev.volary.mesh.halo.NewestWinsSender;
import dev.volary.mesh.link.BlockPair;
import dev.volary.mesh.link.LockStepLink;
import dev.volary.mesh.link.MeshConfig;
import dev.volary.mesh.link.MeshListener;
import dev.volary.mesh.link.NewestWinsLink;
import dev.volary.mesh.link.OutgoingLink;
import dev.volary.mesh.spawnerapi.ReplicaClient;
import dev.volary.mesh.tls.IdentitySource;
import dev.volary.mesh.tls.SpiffeId;
import dev.volary.mesh.transport.Channels;
import dev.volary.mesh.transport.EventLoop;
import dev.volary.mesh.transport.Transport;
import dev.volary.mesh.v1.Hello;
import dev.volary.protocol.halo.RoundSlots;
import dev.volary.protocol.message.Message;
import dev.volary.protocol.model.Address;
import dev.volary.protocol.model.Member;
import dev.volary.protocol.model.WorkerId;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** The mesh over gRPC: two loops, two servers, a control plane and a bulk plane. */
final class GrpcMesh implements Mesh {
    private static final int PROTOCOL_VERSION = 1;
    private static final long CLOSE_SECONDS = 5;

    private final IdentitySource source;
    private final EventLoop controlLoop;
    private final EventLoop bulkLoop;
    private final ControlPlane control;
    private final BulkPlane bulk;
    private final Server controlServer;
    private final Server bulkServer;
    private final Member self;
    private final AtomicBoolean closed = new AtomicBoolean();

    GrpcMesh(
            MeshConfig config,
            IdentitySource source,
            MeshListener listener,
            List<ServerServiceDefinition> controlServices,
            List<ServerServiceDefinition> bulkServices)
            throws IOException {
        this.source = source;
        SpiffeId identity = source.current().id();
        String name = identity.name();
        controlLoop = new EventLoop("mesh-control-" + name);
        bulkLoop = new EventLoop("mesh-bulk-" + name);
        Server bulkListening = null;
        try {
            Transport transport = new Transport(
                    source, config.maxFrameBytes(), config.connectTimeout(), config.keepAlive(), listener::refused);
            bulk = new BulkPlane(config, name, bulkLoop, transport, listener);
            control = new ControlPlane(config, name, controlLoop, transport, listener, bulk);
            bulk.onPeerNeeded(control::connect);
            bulkServer = bulkListening = transport.listen(
                    Transport.Stream.BULK, bulkLoop, config.listen(), config.bulkPort(), bulk::accept, bulkServices);
            controlServer = transport.listen(
                    Transport.Stream.CONTROL,
                    controlLoop,
                    config.listen(),
                    config.port(),
                    control::accept,
                    controlServices);
            self = new Member(
                    config.node(),
                    config.role(),
                    name,
                    new Address(config.host(), controlServer.getPort()),
                    config.machine(),
                    config.zone(),
                    config.cores(),
                    config.memoryBytes());
            transport.setHello(Hello.newBuilder()
                    .setProtocolVersion(PROTOCOL_VERSION)
                    .setNamespace(identity.namespace())
                    .setJob(identity.job())
                    .setProblemHash(config.problemHash())
                    .setMember(Shapes.write(self))
                    .setBulkPort(bulkServer.getPort())
                    .build());
        } catch (IOException | RuntimeException e) {
            if (bulkListening != null) {
                end(bulkListening);
            }
            controlLoop.close();
            bulkLoop.close();
            throw e;
        }
    }

    @Override
    public EventLoop controlLoop() {
        return controlLoop;
    }

    @Override
    public Member self() {
        return self;
    }

    @Override
    public Address bulkAddress() {
        return new Address(self.address().host(), bulkServer.getPort());
    }

    @Override
    public ReplicaClient replicas(Address bulkAddress) throws IOException {
        return new ReplicaClient(
                bulkAddress, Channels.open(bulkLoop, bulkAddress, source, Set.of(SpiffeId.SPAWNER, SpiffeId.DAEMON)));
    }

    @Override
    public void addPeer(Member member) {
        control.addPeer(member);
    }

    @Override
    public void send(WorkerId to, Message message) {
        control.send(to, message);
    }

    @Override
    public void forget(WorkerId peer) {
        control.forget(peer);
    }

    @Override
    public ControlTelemetry controlTelemetry() {
        return control.telemetry();
    }

    @Override
    public OutgoingLink outgoing(int from, int to, int length) {
        return newestWinsSender(from, to, length, 1);
    }

    @Override
    public OutgoingLink outgoingInRounds(int from, int to, int length) {
        return newestWinsSender(from, to, length, RoundSlots.HALOS_KEPT);
    }

    private OutgoingLink newestWinsSender(int from, int to, int length, int waiting) {
        return bulk.outgoing(
                new BlockPair(from, to),
                length,
                NewestWinsSender.class,
                (edge, n) -> new NewestWinsSender(edge, n, waiting, bulk));
    }

    @Override
    public OutgoingLink outgoingLockStep(int from, int to, int length) {
        return bulk.outgoing(
                new BlockPair(from, to), length, LockStepSender.class, (edge, n) -> new LockStepSender(edge, n, bulk));
    }

    @Override
    public NewestWinsLink incoming(int from, int to, int length) {
        return newestWinsReceiver(from, to, length, 1);
    }

    @Override
    public NewestWinsLink incomingInRounds(int from, int to, int length) {
        return newestWinsReceiver(from, to, length, RoundSlots.HALOS_KEPT);
    }

    private NewestWinsLink newestWinsReceiver(int from, int to, int length, int waiting) {
        return bulk.incoming(
                new BlockPair(from, to),
                length,
                NewestWinsReceiver.class,
                (edge, n) -> new NewestWinsReceiver(edge, n, waiting, bulk.listener()));
    }

    @Override
    public LockStepLink incomingLockStep(int from, int to, int length) {
        return bulk.incoming(
                new BlockPair(from, to),
                length,
                LockStepReceiver.class,
                (edge, n) -> new LockStepReceiver(edge, n, bulk.listener()));
    }

    @Override
    public void removeLinks(int block) {
        bulk.removeLinks(block);
    }

    @Override
    public void reportComputeIdle() {
        bulk.reportComputeIdle();
    }

    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        await(controlLoop, control::close);
        await(bulkLoop, bulk::close);
        end(controlServer);
        end(bulkServer);
        controlLoop.close();
        bulkLoop.close();
    }

    private static void end(Server server) {
        server.shutdownNow();
        try {
            server.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void await(EventLoop loop, Runnable task) {
        CountDownLatch done = new CountDownLatch(1);
        loop.execute(() -> {
            try {
                task.run();
            } finally {
                done.countDown();
            }
        });
        try {
            if (!done.await(CLOSE_SECONDS, TimeUnit.SECONDS)) {
                throw new IllegalStateException("event loop does not answer: a callback blocks it");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
