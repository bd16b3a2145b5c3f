// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.transport;

import dev.volary.mesh.tls.SpiffeId;
import dev.volary.mesh.v1.Hello;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.Status;
import java.io.InputStream;
import java.util.Optional;
import java.util.function.Function;

/** The accepting side of a stream. */
final class ServerMessageStream extends ServerCall.Listener<InputStream> implements MessageStream {
    private final EventLoop loop;
    private final ServerCall<InputStream, InputStream> call;
    private final Hello theirs;
    private final Events events;
    private boolean closed;

    private ServerMessageStream(
            EventLoop loop, ServerCall<InputStream, InputStream> call, Hello theirs, Events events) {
        this.loop = loop;
        this.call = call;
        this.theirs = theirs;
        this.events = events;
    }

    /** Answers a call: with our greeting, or with the reason why not. */
    static ServerCall.Listener<InputStream> accept(
            Transport transport,
            EventLoop loop,
            ServerCall<InputStream, InputStream> call,
            Metadata headers,
            Function<Hello, Events> accept) {
        Optional<SpiffeId> peer = Handshake.peer(call.getAttributes().get(Grpc.TRANSPORT_ATTR_SSL_SESSION));
        Optional<Hello> theirs = Handshake.read(headers);
        Hello mine = transport.hello();
        if (!mine.hasMember()) {
            call.close(Status.UNAVAILABLE.withDescription("worker is starting"), new Metadata());
            return new ServerCall.Listener<>() {};
        }
        if (peer.isEmpty() || theirs.isEmpty()) {
            return refuse(transport, call, "unknown", "the call has no greeting");
        }
        Optional<String> refusal = Handshake.refusal(mine, transport.identity().id(), theirs.get(), peer.get());
        if (refusal.isPresent()) {
            return refuse(transport, call, peer.get().uri(), refusal.get());
        }
        Events events = accept.apply(theirs.get());
        ServerMessageStream stream = new ServerMessageStream(loop, call, theirs.get(), events);
        call.setOnReadyThreshold(Transport.BUFFERED_BYTES);
        call.sendHeaders(Handshake.write(mine.toBuilder().setLink(events.link()).build()));
        call.request(Integer.MAX_VALUE);
        events.opened(stream);
        return stream;
    }

    private static ServerCall.Listener<InputStream> refuse(
            Transport transport, ServerCall<InputStream, InputStream> call, String peer, String reason) {
        transport.reportRefusal(peer, reason);
        call.close(
                Status.FAILED_PRECONDITION.withDescription(
                        "refused by " + transport.identity().id() + ": " + reason),
                Handshake.write(transport.hello()));
        return new ServerCall.Listener<>() {};
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
        return false;
    }

    @Override
    public boolean isReplaced() {
        return false;
    }

    @Override
    public boolean isReady() {
        return !closed && call.isReady();
    }

    @Override
    public void send(ByteArrayMessage message) {
        if (!closed && !call.isCancelled()) {
            call.sendMessage(message);
        }
    }

    @Override
    public void close(String reason) {
        if (!closed) {
            if (!call.isCancelled()) {
                call.close(Status.UNAVAILABLE.withDescription(reason), new Metadata());
            }
            end(reason);
        }
    }

    @Override
    public void onMessage(InputStream message) {
        if (!closed) {
            events.message(this, message);
        }
    }

    @Override
    public void onReady() {
        if (!closed) {
            events.ready(this);
        }
    }

    @Override
    public void onHalfClose() {
        loop.run(() -> close("the other side has ended the stream"));
    }

    @Override
    public void onCancel() {
        loop.run(() -> end("connection broken or stream cancelled by the other side"));
    }

    @Override
    public void onComplete() {
        loop.run(() -> end("stream ended"));
    }

    private void end(String reason) {
        if (!closed) {
            closed = true;
            events.closed(this, reason);
        }
    }
}
