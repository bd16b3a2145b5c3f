// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.transport;

import dev.volary.mesh.tls.IdentitySource;
import dev.volary.protocol.model.Address;
import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.netty.channel.ChannelOption;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioSocketChannel;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Set;

/** Connections for calls beside the mesh: TLS 1.3, both sides prove who they are. */
public final class Channels {
    private static final int MAX_MESSAGE = 16 << 20;
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(3);

    private Channels() {}

    /**
     * A channel that connects with its first call.
     *
     * @param roles of which the other side must prove one
     * @throws IOException if the identity cannot be used
     */
    public static ManagedChannel open(EventLoop loop, Address address, IdentitySource identity, Set<String> roles)
            throws IOException {
        NettySettings.apply();
        return NettyChannelBuilder.forAddress(new InetSocketAddress(address.host(), address.port()))
                .eventLoopGroup(loop.group())
                .channelType(NioSocketChannel.class)
                .directExecutor()
                .offloadExecutor(loop::execute)
                .overrideAuthority("worker")
                .sslContext(new NettyTls(identity, roles, (peer, reason) -> {}).client())
                .withOption(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int) CONNECT_TIMEOUT.toMillis())
                .maxInboundMessageSize(MAX_MESSAGE)
                .disableRetry()
                .build();
    }
}
