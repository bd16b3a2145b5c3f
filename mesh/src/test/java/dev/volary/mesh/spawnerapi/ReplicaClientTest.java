// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.spawnerapi;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import dev.volary.mesh.Mesh;
import dev.volary.mesh.link.MeshConfig;
import dev.volary.mesh.tls.CertificateAuthority;
import dev.volary.mesh.tls.Identity;
import dev.volary.mesh.tls.SpiffeId;
import dev.volary.mesh.v1.ReplicaPiece;
import dev.volary.protocol.model.WorkerId;
import dev.volary.protocol.model.WorkerRole;
import io.grpc.Drainable;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReplicaClientTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    private final List<Mesh> meshes = new ArrayList<>();
    private final CertificateAuthority authority = authority("heat");

    @AfterEach
    void close() {
        meshes.forEach(Mesh::close);
    }

    /** Odd lengths, one piece exactly, and far more than the flow control's window. */
    @ParameterizedTest
    @ValueSource(ints = {1, PieceSender.PIECE_BYTES, PieceSender.PIECE_BYTES + 1, (20 << 20) + 3})
    void aRequestAndItsReplyArriveWhole(int length) throws Exception {
        byte[] request = new byte[length];
        new Random(length).nextBytes(request);
        Mesh holder = start(1, authority, SpiffeId.SPAWNER, ReplicaClientTest::reversed);
        Mesh owner = start(2, authority, SpiffeId.DAEMON, UnaryOperator.identity());
        try (ReplicaClient client = owner.replicas(holder.bulkAddress())) {
            assertArrayEquals(
                    reversed(request),
                    client.ask(TIMEOUT, ByteBuffer.wrap(request)).get(20, TimeUnit.SECONDS));
        }
    }

    @Test
    void aHolderThatDoesNotAnswerFailsTheRequestInTime() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        Mesh holder = start(1, authority, SpiffeId.DAEMON, request -> {
            try {
                never.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return request;
        });
        Mesh owner = start(2, authority, SpiffeId.DAEMON, UnaryOperator.identity());
        CompletableFuture<byte[]> open;
        try (ReplicaClient client = owner.replicas(holder.bulkAddress())) {
            assertRefused(
                    Status.Code.DEADLINE_EXCEEDED, client.ask(Duration.ofMillis(100), ByteBuffer.wrap(new byte[] {1})));
            open = client.ask(TIMEOUT, ByteBuffer.wrap(new byte[] {1}));
        }
        assertRefused(Status.Code.UNAVAILABLE, open);
        never.countDown();
    }

    @Test
    void aRequestThatCannotBeReadIsRefusedAndTheNextOneIsAnswered() throws Exception {
        Mesh holder = start(1, authority, SpiffeId.DAEMON, request -> {
            if (request[0] == 7) {
                throw new IllegalArgumentException("form 7 is unknown");
            }
            return request;
        });
        Mesh owner = start(2, authority, SpiffeId.DAEMON, UnaryOperator.identity());
        try (ReplicaClient client = owner.replicas(holder.bulkAddress())) {
            assertRefused(Status.Code.INTERNAL, client.ask(TIMEOUT, ByteBuffer.wrap(new byte[] {7})));
            assertArrayEquals(
                    new byte[] {8},
                    client.ask(TIMEOUT, ByteBuffer.wrap(new byte[] {8})).get(20, TimeUnit.SECONDS));
        }
    }

    @Test
    void onlyWorkersOfTheJobAreAnswered() throws Exception {
        Mesh holder = start(1, authority, SpiffeId.DAEMON, UnaryOperator.identity());
        Mesh operator = start(2, authority, SpiffeId.OPERATOR, UnaryOperator.identity());
        try (ReplicaClient client = operator.replicas(holder.bulkAddress())) {
            assertRefused(Status.Code.PERMISSION_DENIED, client.ask(TIMEOUT, ByteBuffer.wrap(new byte[] {1})));
        }
        Mesh foreign = start(3, authority("pipe"), SpiffeId.DAEMON, UnaryOperator.identity());
        try (ReplicaClient client = foreign.replicas(holder.bulkAddress())) {
            assertRefused(Status.Code.UNAVAILABLE, client.ask(TIMEOUT, ByteBuffer.wrap(new byte[] {1})));
        }
    }

    @Test
    void piecesThatDoNotFitAreRefused() {
        PieceReceiver receiver = new PieceReceiver();
        receiver.append(piece(3, 1, 2));
        assertThrows(IllegalStateException.class, receiver::whole, "one byte is missing");
        assertThrows(IllegalStateException.class, () -> receiver.append(piece(0, 3, 4)), "one too many");
        assertThrows(IllegalStateException.class, () -> receiver.append(piece(9, 3)), "announced twice");
        receiver.append(piece(0, 3));
        assertArrayEquals(new byte[] {1, 2, 3}, receiver.whole());
        assertThrows(IllegalStateException.class, () -> new PieceReceiver().append(piece(1L << 40, 1)));
        assertThrows(IllegalStateException.class, () -> new PieceReceiver().append(piece(-1, 1)));
        assertThrows(IllegalStateException.class, () -> new PieceReceiver().whole());
    }

    @Test
    void piecesAreWhatTheProtocolSays() throws IOException {
        byte[] bytes = new byte[PieceSender.PIECE_BYTES];
        new Random(1).nextBytes(bytes);
        for (long total : new long[] {0, 1, 300, Integer.MAX_VALUE}) {
            for (ByteBuffer part : List.of(
                    ByteBuffer.wrap(bytes),
                    ByteBuffer.wrap(bytes, 7, 130),
                    ByteBuffer.wrap(bytes).asReadOnlyBuffer())) {
                ReplicaPiece expected = ReplicaPiece.newBuilder()
                        .setTotalBytes(total)
                        .setBytes(ByteString.copyFrom(part.duplicate()))
                        .build();
                InputStream read = PieceMessage.of(total, part.slice());
                assertEquals(expected.getSerializedSize(), read.available());
                assertArrayEquals(expected.toByteArray(), read.readAllBytes());
                ByteArrayOutputStream drained = new ByteArrayOutputStream();
                assertEquals(
                        expected.getSerializedSize(),
                        ((Drainable) PieceMessage.of(total, part.slice())).drainTo(drained));
                assertArrayEquals(expected.toByteArray(), drained.toByteArray());
            }
        }
    }

    @Test
    void malformedPiecesAreRefused() {
        for (byte[] piece : List.of(
                new byte[] {8, -1}, // ends within a number
                new byte[] {8, 3, 18, 2, 1}, // ends within its bytes
                new byte[] {8, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 1}, // a number of 11 bytes
                new byte[] {8, 3, 26, 1, 1})) { // a field of another version
            assertThrows(
                    IllegalStateException.class, () -> new PieceReceiver().append(new ByteArrayInputStream(piece)));
        }
    }

    private static InputStream piece(long total, int... values) {
        byte[] bytes = new byte[values.length];
        for (int i = 0; i < values.length; i++) {
            bytes[i] = (byte) values[i];
        }
        return ReplicaPiece.newBuilder()
                .setTotalBytes(total)
                .setBytes(ByteString.copyFrom(bytes))
                .build()
                .toByteString()
                .newInput();
    }

    private static byte[] reversed(byte[] bytes) {
        byte[] reversed = new byte[bytes.length];
        for (int i = 0; i < bytes.length; i++) {
            reversed[i] = bytes[bytes.length - 1 - i];
        }
        return reversed;
    }

    private static void assertRefused(Status.Code code, CompletableFuture<byte[]> reply) {
        ExecutionException failure = assertThrows(ExecutionException.class, () -> reply.get(20, TimeUnit.SECONDS));
        StatusRuntimeException status = assertInstanceOf(StatusRuntimeException.class, failure.getCause());
        assertTrue(status.getStatus().getCode() == code, () -> "expected " + code + ", was " + status.getStatus());
    }

    private Mesh start(long id, CertificateAuthority issuer, String role, UnaryOperator<byte[]> holder)
            throws IOException, GeneralSecurityException {
        Identity identity = issuer.issue(role, "worker-" + id);
        MeshConfig config = MeshConfig.builder(new WorkerId(id), WorkerRole.DAEMON, "127.0.0.1", 1)
                .build();
        Mesh mesh = Mesh.start(
                config,
                identity,
                (from, message) -> {},
                List.of(),
                List.of(SpawnerGrpcService.replicas(identity.id(), holder)));
        meshes.add(mesh);
        return mesh;
    }

    private static CertificateAuthority authority(String job) {
        try {
            return new CertificateAuthority("ns", job);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
