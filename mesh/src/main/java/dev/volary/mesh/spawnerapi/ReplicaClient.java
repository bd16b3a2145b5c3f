// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.spawnerapi;

import dev.volary.protocol.model.Address;
import io.grpc.ManagedChannel;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ClientResponseObserver;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Asks one worker for replicas, at its bulk port. Safe for use by several threads. */
public final class ReplicaClient implements AutoCloseable {
    private final Call call;

    /** @param channel closed with the client */
    public ReplicaClient(Address address, ManagedChannel channel) {
        this.call = new Call(address, channel);
    }

    /**
     * Sends a request. Returns at once; the reply completes on an event loop, which must not be held up.
     *
     * @param request its parts, one after the other; not changed any more
     * @param timeout after which the reply fails
     */
    public CompletableFuture<byte[]> ask(Duration timeout, ByteBuffer... request) {
        Reply reply = new Reply();
        var _ = ClientCalls.asyncBidiStreamingCall(
                call.channel().newCall(Methods.ASK_HOLDER, Call.options(timeout)), reply);
        reply.sender().send(request);
        return reply.bytes;
    }

    /** Requests without a reply fail. */
    @Override
    public void close() {
        call.close();
    }

    private static final class Reply implements ClientResponseObserver<InputStream, InputStream> {
        private final CompletableFuture<byte[]> bytes = new CompletableFuture<>();
        private final PieceReceiver received = new PieceReceiver();
        private @Nullable PieceSender sender;

        @Override
        public void beforeStart(ClientCallStreamObserver<InputStream> request) {
            PieceSender sending = new PieceSender(request);
            request.setOnReadyHandler(sending::proceed);
            sender = sending;
        }

        PieceSender sender() {
            if (sender == null) {
                throw new IllegalStateException("the call has not begun");
            }
            return sender;
        }

        @Override
        public void onNext(InputStream piece) {
            received.append(piece); // what it throws cancels the call
        }

        @Override
        public void onError(Throwable failure) {
            bytes.completeExceptionally(failure);
        }

        @Override
        public void onCompleted() {
            try {
                bytes.complete(received.whole());
            } catch (IllegalStateException e) {
                bytes.completeExceptionally(e);
            }
        }
    }
}
