// SPDX-License-Identifier: Apache-2.0
package dev.volary.bench;

import dev.volary.mesh.tls.CertificateAuthority;
import dev.volary.mesh.tls.Identity;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.shaded.io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.netty.shaded.io.netty.handler.ssl.ClientAuth;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContextBuilder;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslProvider;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ServerCalls;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;

/** The peer of {@link StartUp}: a gRPC server and a client of it over mutual TLS, one round trip, nothing else. */
public final class BareNode {
    private static final MethodDescriptor.Marshaller<byte[]> BYTES = new MethodDescriptor.Marshaller<>() {
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

    private static final MethodDescriptor<byte[], byte[]> ECHO = MethodDescriptor.<byte[], byte[]>newBuilder()
            .setType(MethodDescriptor.MethodType.UNARY)
            .setFullMethodName("bare.Node/Echo")
            .setRequestMarshaller(BYTES)
            .setResponseMarshaller(BYTES)
            .build();

    private BareNode() {}

    /** Takes no arguments. */
    public static void main(String[] args) throws GeneralSecurityException, IOException {
        CertificateAuthority authority = new CertificateAuthority("local", "bare");
        Identity identity = authority.issue("daemon", "bare");
        X509Certificate[] chain = identity.chain().toArray(X509Certificate[]::new);
        io.grpc.Server server = NettyServerBuilder.forAddress(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .sslContext(
                        GrpcSslContexts.configure(SslContextBuilder.forServer(identity.key(), chain), SslProvider.JDK)
                                .trustManager(identity.authority())
                                .clientAuth(ClientAuth.REQUIRE)
                                .build())
                .addService(ServerServiceDefinition.builder("bare.Node")
                        .addMethod(ECHO, ServerCalls.asyncUnaryCall((request, answer) -> {
                            answer.onNext(request);
                            answer.onCompleted();
                        }))
                        .build())
                .build()
                .start();
        ManagedChannel channel = NettyChannelBuilder.forAddress("127.0.0.1", server.getPort())
                .overrideAuthority("bare")
                .sslContext(GrpcSslContexts.configure(SslContextBuilder.forClient(), SslProvider.JDK)
                        .keyManager(identity.key(), chain)
                        .trustManager(identity.authority())
                        .endpointIdentificationAlgorithm("")
                        .build())
                .build();
        byte[] answer = ClientCalls.blockingUnaryCall(channel, ECHO, CallOptions.DEFAULT, new byte[] {1});
        System.exit(answer.length == 1 ? 0 : 1);
    }
}
