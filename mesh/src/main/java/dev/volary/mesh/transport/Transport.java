// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.transport;

import dev.volary.mesh.tls.Identity;
import dev.volary.mesh.tls.IdentitySource;
import dev.volary.mesh.v1.Hello;
import dev.volary.protocol.model.Address;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.netty.shaded.io.netty.channel.ChannelOption;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioServerSocketChannel;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioSocketChannel;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContext;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Function;

/** Makes servers and streams of one worker: TLS 1.3, both sides prove who they are. */
public final class Transport {
    private static final String SERVICE = "volary.mesh.v1.Mesh";

    /** What the transport may keep before a stream is no longer ready: the next frame is laid out while one is sent. */
    static final int BUFFERED_BYTES = 1 << 20;

    /** The longest control message. The manifest's limits keep all messages of a job below it. */
    public static final int CONTROL_BYTES_MAX = 16 << 20;

    /** The two streams between workers. */
    public enum Stream {
        /** Envelopes. */
        CONTROL("Control", 1 << 20, CONTROL_BYTES_MAX),
        /** Raw frames. */
        BULK("Bulk", 4 << 20, 0);

        private final String call;
        private final int window;
        private final int maxMessage;

        Stream(String call, int window, int maxMessage) {
            this.call = call;
            this.window = window;
            this.maxMessage = maxMessage;
        }

        private MethodDescriptor<InputStream, InputStream> method() {
            return MethodDescriptor.<InputStream, InputStream>newBuilder()
                    .setType(MethodDescriptor.MethodType.BIDI_STREAMING)
                    .setFullMethodName(MethodDescriptor.generateFullMethodName(SERVICE, call))
                    .setRequestMarshaller(ByteArrayMessage.MARSHALLER)
                    .setResponseMarshaller(ByteArrayMessage.MARSHALLER)
                    .build();
        }
    }

    private final IdentitySource identity;
    private final SslContext serverTls;
    private final SslContext clientTls;
    private final int maxFrameBytes;
    private final Duration connectTimeout;
    private final Duration keepAlive;
    private final BiConsumer<String, String> refused;
    private volatile Hello hello = Hello.getDefaultInstance();

    /**
     * @param maxFrameBytes longest message on a bulk stream
     * @param connectTimeout until a stream must be open
     * @param refused receives the worker that was refused, or refused us, and the reason
     * @throws IOException if the identity cannot be used
     */
    public Transport(
            IdentitySource identity,
            int maxFrameBytes,
            Duration connectTimeout,
            Duration keepAlive,
            BiConsumer<String, String> refused)
            throws IOException {
        NettySettings.apply();
        this.identity = identity;
        this.maxFrameBytes = maxFrameBytes;
        this.connectTimeout = connectTimeout;
        this.keepAlive = keepAlive;
        this.refused = refused;
        NettyTls tls = new NettyTls(identity, Set.of(), refused);
        serverTls = tls.server();
        clientTls = tls.client();
    }

    /** Sets what this worker sends of itself in handshakes from now on; streams opened before this are refused by the other side. */
    public void setHello(Hello self) {
        hello = self;
    }

    Hello hello() {
        return hello;
    }

    Identity identity() {
        return identity.current();
    }

    void reportRefusal(String peer, String reason) {
        refused.accept(peer, reason);
    }

    Duration connectTimeout() {
        return connectTimeout;
    }

    /**
     * Accepts streams.
     *
     * @param host empty for all interfaces
     * @param port 0 for any free one
     * @param accept makes the listener for a stream of the worker that said this
     * @param services other services of this server
     * @throws IOException if the port cannot be bound; the message names it and the remedy
     */
    public Server listen(
            Stream stream,
            EventLoop loop,
            String host,
            int port,
            Function<Hello, MessageStream.Events> accept,
            List<ServerServiceDefinition> services)
            throws IOException {
        InetSocketAddress address = host.isEmpty() ? new InetSocketAddress(port) : new InetSocketAddress(host, port);
        if (address.isUnresolved()) {
            throw new IOException("host " + host + " is unknown here; give an address of this machine");
        }
        Server server = NettyServerBuilder.forAddress(address)
                .bossEventLoopGroup(loop.group())
                .workerEventLoopGroup(loop.group())
                .channelType(NioServerSocketChannel.class)
                .directExecutor()
                .sslContext(serverTls)
                .handshakeTimeout(connectTimeout.toMillis(), TimeUnit.MILLISECONDS)
                .flowControlWindow(stream.window)
                .maxInboundMessageSize(maxMessage(stream))
                .keepAliveTime(keepAlive.toMillis(), TimeUnit.MILLISECONDS)
                .permitKeepAliveTime(1, TimeUnit.SECONDS)
                .permitKeepAliveWithoutCalls(true)
                .addService(ServerServiceDefinition.builder(SERVICE)
                        .addMethod(
                                stream.method(),
                                (call, headers) -> ServerMessageStream.accept(this, loop, call, headers, accept))
                        .build())
                .addServices(services)
                .build();
        try {
            return server.start();
        } catch (IOException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new IOException(
                    "cannot listen on " + host + ":" + port + ": " + cause.getMessage()
                            + "; free the port, or choose another (0 takes any free one)",
                    e);
        }
    }

    /**
     * Opens a stream; reports success or failure to {@code events}. To be called on the loop.
     *
     * @param expected id of the worker that should be there
     */
    public MessageStream dial(
            Stream stream, EventLoop loop, Address address, long expected, MessageStream.Events events) {
        ManagedChannel channel = NettyChannelBuilder.forAddress(new InetSocketAddress(address.host(), address.port()))
                .eventLoopGroup(loop.group())
                .channelType(NioSocketChannel.class)
                .directExecutor()
                .offloadExecutor(loop::execute) // handshakes; else gRPC starts threads of its own
                // The second stream to a worker resumes the first one's TLS session: sessions are kept by this name.
                .overrideAuthority("worker-" + Long.toHexString(expected))
                .sslContext(clientTls)
                .withOption(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int) connectTimeout.toMillis())
                .flowControlWindow(stream.window)
                .maxInboundMessageSize(maxMessage(stream))
                .keepAliveTime(keepAlive.toMillis(), TimeUnit.MILLISECONDS)
                .keepAliveTimeout(connectTimeout.toMillis(), TimeUnit.MILLISECONDS)
                .keepAliveWithoutCalls(true)
                .disableRetry()
                .build();
        ClientMessageStream dialed = new ClientMessageStream(this, loop, channel, address, expected, events);
        dialed.start(
                stream.method(),
                hello.toBuilder().setExpected(expected).setLink(events.link()).build());
        return dialed;
    }

    private int maxMessage(Stream stream) {
        return stream.maxMessage == 0 ? maxFrameBytes : stream.maxMessage;
    }
}
