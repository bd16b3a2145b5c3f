// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.transport;

import dev.volary.mesh.tls.SpiffeId;
import dev.volary.mesh.v1.Hello;
import dev.volary.protocol.model.Address;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Grpc;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.io.InputStream;
import java.net.ConnectException;
import java.util.Optional;

/** The dialing side of a stream: one channel with one call on it. */
final class ClientMessageStream extends ClientCall.Listener<InputStream> implements MessageStream {
    private final Transport transport;
    private final EventLoop loop;
    private final ManagedChannel channel;
    private final Address address;
    private final long expected;
    private final Events events;
    private ClientCall<InputStream, InputStream> call;
    private Hello theirs = Hello.getDefaultInstance();
    private boolean open;
    private boolean closed;
    private boolean refused;
    private boolean replaced;

    ClientMessageStream(
            Transport transport,
            EventLoop loop,
            ManagedChannel channel,
            Address address,
            long expected,
            Events events) {
        this.transport = transport;
        this.loop = loop;
        this.channel = channel;
        this.address = address;
        this.expected = expected;
        this.events = events;
        this.call = new NoCall();
    }

    void start(MethodDescriptor<InputStream, InputStream> method, Hello mine) {
        call = channel.newCall(method, CallOptions.DEFAULT.withOnReadyThreshold(Transport.BUFFERED_BYTES));
        call.start(this, Handshake.write(mine));
        call.request(Integer.MAX_VALUE);
        loop.schedule(
                () -> {
                    if (!open) {
                        close("no answer from " + address + " within " + transport.connectTimeout());
                    }
                },
                transport.connectTimeout().toNanos());
    }

    @Override
    public Hello hello() {
        return theirs;
    }

    @Override
    public boolean isClosed() {
        return closed;
    }

    @Override
    public boolean isRefused() {
        return refused;
    }

    @Override
    public boolean isReplaced() {
        return replaced;
    }

    @Override
    public boolean isReady() {
        return open && !closed && call.isReady();
    }

    @Override
    public void send(ByteArrayMessage message) {
        if (open && !closed) {
            call.sendMessage(message);
        }
    }

    @Override
    public void close(String reason) {
        end(reason);
    }

    @Override
    public void onHeaders(Metadata headers) {
        Hello mine = transport.hello();
        Optional<Hello> answer = Handshake.read(headers);
        Optional<SpiffeId> peer = Handshake.peer(call.getAttributes().get(Grpc.TRANSPORT_ATTR_SSL_SESSION));
        if (answer.isEmpty() || peer.isEmpty()) {
            refuse(address.toString(), "it answers without a greeting; it is no Volary worker of this version");
            return;
        }
        Optional<String> refusal = Handshake.refusal(mine, transport.identity().id(), answer.get(), peer.get());
        if (refusal.isPresent()) {
            refuse(peer.get().uri(), refusal.get());
            return;
        }
        if (!closed) {
            theirs = answer.get();
            open = true;
            events.opened(this);
        }
    }

    private void refuse(String peer, String reason) {
        transport.reportRefusal(peer, reason);
        end(peer + " refused: " + reason);
    }

    @Override
    public void onMessage(InputStream message) {
        if (open && !closed) {
            events.message(this, message);
        }
    }

    @Override
    public void onReady() {
        if (open && !closed) {
            events.ready(this);
        }
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
        String reason = describe(status);
        if (status.getCode() == Status.Code.FAILED_PRECONDITION) {
            transport.reportRefusal(address.toString(), reason);
        }
        boolean isConnectionRefused = isConnectionRefused(status);
        boolean isAnotherWorker = Handshake.read(trailers)
                .filter(answer -> answer.getMember().getId() != expected)
                .isPresent();
        loop.run(() -> {
            refused = isConnectionRefused && !closed;
            replaced = isAnotherWorker && !closed;
            end(reason);
        });
    }

    /** A connection that timed out is not refused, though its exception is a ConnectException too. */
    private static boolean isConnectionRefused(Status status) {
        for (Throwable cause = status.getCause(); cause != null; cause = cause.getCause()) {
            if (cause instanceof ConnectException
                    && String.valueOf(cause.getMessage()).contains("refused")) {
                return true;
            }
        }
        return false;
    }

    private String describe(Status status) {
        StringBuilder text = new StringBuilder(address.toString()).append(": ");
        text.append(status.getDescription() == null ? status.getCode() : status.getDescription());
        for (Throwable cause = status.getCause(); cause != null; cause = cause.getCause()) {
            if (cause.getMessage() != null) {
                text.append(": ").append(cause.getMessage());
            }
        }
        return text.toString();
    }

    private void end(String reason) {
        if (!closed) {
            closed = true;
            call.cancel(reason, null);
            channel.shutdownNow();
            events.closed(this, reason);
        }
    }

    /** Before the call is made. */
    private static final class NoCall extends ClientCall<InputStream, InputStream> {
        @Override
        public void start(Listener<InputStream> listener, Metadata headers) {}

        @Override
        public void request(int messages) {}

        @Override
        public void cancel(
                @org.jspecify.annotations.Nullable String message,
                @org.jspecify.annotations.Nullable Throwable cause) {}

        @Override
        public void halfClose() {}

        @Override
        public void sendMessage(InputStream message) {}
    }
}
