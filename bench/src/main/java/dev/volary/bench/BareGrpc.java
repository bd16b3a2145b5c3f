// SPDX-License-Identifier: Apache-2.0
package dev.volary.bench;

import dev.volary.mesh.tls.Identity;
import dev.volary.mesh.tls.JobTrustManager;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.shaded.io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.MultiThreadIoEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.nio.NioIoHandler;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioServerSocketChannel;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioSocketChannel;
import io.grpc.netty.shaded.io.netty.handler.ssl.ClientAuth;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContextBuilder;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslProvider;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** The peer of the throughput benchmark: gRPC client streaming of byte arrays, as plain as can be, with the mesh's settings. */
final class BareGrpc {
    private static final int WINDOW = 4 << 20;
    private static final int MAX_MESSAGE = 64 << 20;
    private static final String SERVICE = "bare.Bytes";

    private static final MethodDescriptor.Marshaller<byte[]> MARSHALLER = new MethodDescriptor.Marshaller<>() {
        @Override
        public InputStream stream(byte[] value) {
            return new ByteArrayInputStream(value);
        }

        @Override
        public byte[] parse(InputStream stream) {
            try (stream) {
                return stream.readAllBytes();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    };

    private static final MethodDescriptor<byte[], byte[]> METHOD = MethodDescriptor.<byte[], byte[]>newBuilder()
            .setType(MethodDescriptor.MethodType.CLIENT_STREAMING)
            .setFullMethodName(MethodDescriptor.generateFullMethodName(SERVICE, "Send"))
            .setRequestMarshaller(MARSHALLER)
            .setResponseMarshaller(MARSHALLER)
            .build();

    private BareGrpc() {}

    private static EventLoopGroup loop(String name) {
        return new MultiThreadIoEventLoopGroup(
                1,
                task -> {
                    Thread thread = new Thread(task, name);
                    thread.setDaemon(true);
                    return thread;
                },
                NioIoHandler.newFactory());
    }

    private static JobTrustManager trust(Identity identity) throws GeneralSecurityException {
        return new JobTrustManager(identity, (peer, reason) -> System.err.println(peer + " " + reason));
    }

    /** Counts what arrives. */
    static final class Server implements AutoCloseable {
        private final AtomicLong received = new AtomicLong();
        private final io.grpc.Server server;

        private Server(Identity identity) throws IOException, GeneralSecurityException {
            EventLoopGroup loop = loop("bare-server");
            X509Certificate[] chain = identity.chain().toArray(X509Certificate[]::new);
            server = NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                    .bossEventLoopGroup(loop)
                    .workerEventLoopGroup(loop)
                    .channelType(NioServerSocketChannel.class)
                    .directExecutor()
                    .sslContext(GrpcSslContexts.configure(
                                    SslContextBuilder.forServer(identity.key(), chain), SslProvider.JDK)
                            .protocols("TLSv1.3")
                            .trustManager(trust(identity))
                            .clientAuth(ClientAuth.REQUIRE)
                            .build())
                    .flowControlWindow(WINDOW)
                    .maxInboundMessageSize(MAX_MESSAGE)
                    .addService(ServerServiceDefinition.builder(SERVICE)
                            .addMethod(METHOD, (call, headers) -> receive(call))
                            .build())
                    .build()
                    .start();
        }

        private ServerCall.Listener<byte[]> receive(ServerCall<byte[], byte[]> call) {
            call.request(Integer.MAX_VALUE);
            return new ServerCall.Listener<>() {
                @Override
                public void onMessage(byte[] message) {
                    received.addAndGet(message.length);
                }
            };
        }

        int port() {
            return server.getPort();
        }

        long received() {
            return received.get();
        }

        @Override
        public void close() {
            server.shutdownNow();
        }
    }

    static Server serve(Identity identity) throws IOException, GeneralSecurityException {
        return new Server(identity);
    }

    /** Sends the same message as fast as the transport takes it. */
    static final class Client implements AutoCloseable {
        private final ManagedChannel channel;
        private final ClientCall<byte[], byte[]> call;
        private volatile boolean sending;

        Client(Identity identity, int port, byte[] message) throws IOException, GeneralSecurityException {
            X509Certificate[] chain = identity.chain().toArray(X509Certificate[]::new);
            channel = NettyChannelBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))
                    .eventLoopGroup(loop("bare-client"))
                    .channelType(NioSocketChannel.class)
                    .directExecutor()
                    .sslContext(GrpcSslContexts.configure(SslContextBuilder.forClient(), SslProvider.JDK)
                            .protocols("TLSv1.3")
                            .keyManager(identity.key(), chain)
                            .trustManager(trust(identity))
                            .build())
                    .flowControlWindow(WINDOW)
                    .disableRetry()
                    .build();
            call = channel.newCall(METHOD, CallOptions.DEFAULT);
            call.start(
                    new ClientCall.Listener<>() {
                        @Override
                        public void onReady() {
                            send(message);
                        }
                    },
                    new Metadata());
        }

        private void send(byte[] message) {
            while (sending && call.isReady()) {
                call.sendMessage(message);
            }
        }

        void sendFor(byte[] message, long nanos) throws InterruptedException {
            sending = true;
            send(message); // later ones are sent by the event loop
            Thread.sleep(nanos / 1_000_000);
            sending = false;
        }

        @Override
        public void close() {
            channel.shutdownNow();
            try {
                channel.awaitTermination(5, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
