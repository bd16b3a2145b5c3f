// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.transport;

import io.grpc.netty.shaded.io.netty.handler.codec.http2.Http2SecurityUtil;
import io.grpc.netty.shaded.io.netty.handler.ssl.ApplicationProtocolConfig;
import io.grpc.netty.shaded.io.netty.handler.ssl.ApplicationProtocolNames;
import io.grpc.netty.shaded.io.netty.handler.ssl.ClientAuth;
import io.grpc.netty.shaded.io.netty.handler.ssl.JdkSslContext;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContext;
import io.grpc.netty.shaded.io.netty.handler.ssl.SupportedCipherSuiteFilter;
import javax.net.ssl.SSLContext;

/**
 * The JDK's TLS as Netty wants it, for HTTP/2. Netty's own builder makes it as well, by way of encrypted key stores, at four
 * times the cost of a handshake.
 */
final class NettyTls {
    private static final String TLS = "TLSv1.3";

    private NettyTls() {}

    /** Asks for the client's certificate. */
    static SslContext server(SSLContext tls) {
        return NettySettings.withoutPublicAuthorities(() -> of(tls, false));
    }

    static SslContext client(SSLContext tls) {
        return NettySettings.withoutPublicAuthorities(() -> of(tls, true));
    }

    private static SslContext of(SSLContext tls, boolean isClient) {
        return new JdkSslContext(
                tls,
                isClient,
                Http2SecurityUtil.CIPHERS,
                SupportedCipherSuiteFilter.INSTANCE,
                new ApplicationProtocolConfig(
                        ApplicationProtocolConfig.Protocol.ALPN,
                        ApplicationProtocolConfig.SelectorFailureBehavior.NO_ADVERTISE,
                        ApplicationProtocolConfig.SelectedListenerFailureBehavior.ACCEPT,
                        ApplicationProtocolNames.HTTP_2),
                isClient ? ClientAuth.NONE : ClientAuth.REQUIRE,
                new String[] {TLS},
                false);
    }
}
