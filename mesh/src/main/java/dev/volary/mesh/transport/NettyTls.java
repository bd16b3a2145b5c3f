// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.transport;

import dev.volary.mesh.tls.IdentitySource;
import dev.volary.mesh.tls.JobTrustManager;
import dev.volary.mesh.tls.SingleKeyManager;
import dev.volary.mesh.tls.TlsContexts;
import io.grpc.netty.shaded.io.netty.handler.codec.http2.Http2SecurityUtil;
import io.grpc.netty.shaded.io.netty.handler.ssl.ApplicationProtocolConfig;
import io.grpc.netty.shaded.io.netty.handler.ssl.ApplicationProtocolNames;
import io.grpc.netty.shaded.io.netty.handler.ssl.ClientAuth;
import io.grpc.netty.shaded.io.netty.handler.ssl.JdkSslContext;
import io.grpc.netty.shaded.io.netty.handler.ssl.OpenSsl;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContext;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContextBuilder;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslProvider;
import io.grpc.netty.shaded.io.netty.handler.ssl.SupportedCipherSuiteFilter;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.util.Set;
import java.util.function.BiConsumer;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;

/**
 * TLS 1.3 as Netty wants it, for HTTP/2: OpenSSL's where its library is loaded ({@link NettySettings}), else the JDK's, which has
 * to be compiled first. Certificates are chosen and checked by the same code.
 */
final class NettyTls {
    private static final String TLS = "TLSv1.3";
    private static final ApplicationProtocolConfig HTTP_2 = new ApplicationProtocolConfig(
            ApplicationProtocolConfig.Protocol.ALPN,
            ApplicationProtocolConfig.SelectorFailureBehavior.NO_ADVERTISE,
            ApplicationProtocolConfig.SelectedListenerFailureBehavior.ACCEPT,
            ApplicationProtocolNames.HTTP_2);

    private final IdentitySource identity;
    private final JobTrustManager trust;

    /**
     * Shows the current identity in each handshake.
     *
     * @param roles of which the other side must prove one; empty for all
     * @param refused receives each worker that is refused, and the reason
     * @throws IOException if the identity cannot be used
     */
    NettyTls(IdentitySource identity, Set<String> roles, BiConsumer<String, String> refused) throws IOException {
        this.identity = identity;
        try {
            this.trust = new JobTrustManager(identity.current(), roles, refused);
        } catch (GeneralSecurityException e) {
            throw unusable(e);
        }
    }

    /**
     * Asks for the client's certificate.
     *
     * @throws IOException if the identity cannot be used
     */
    SslContext server() throws IOException {
        return of(false);
    }

    /** @throws IOException if the identity cannot be used */
    SslContext client() throws IOException {
        return of(true);
    }

    private SslContext of(boolean isClient) throws IOException {
        try {
            if (OpenSsl.isAvailable()) {
                return ofOpenSsl(isClient);
            }
            SSLContext tls = TlsContexts.context(identity, trust);
            return NettySettings.withoutPublicAuthorities(() -> ofJdk(tls, isClient));
        } catch (GeneralSecurityException | SSLException e) {
            throw unusable(e);
        }
    }

    private IOException unusable(Exception e) {
        return new IOException("identity " + identity.current().id() + " cannot be used for TLS: " + e.getMessage(), e);
    }

    private SslContext ofOpenSsl(boolean isClient) throws SSLException {
        SingleKeyManager keys = new SingleKeyManager(identity);
        SslContextBuilder builder = isClient
                // the authority of a channel is not looked at: see JobTrustManager
                ? SslContextBuilder.forClient().keyManager(keys).endpointIdentificationAlgorithm(null)
                : SslContextBuilder.forServer(keys).clientAuth(ClientAuth.REQUIRE);
        return builder.sslProvider(SslProvider.OPENSSL)
                .trustManager(trust)
                .protocols(TLS)
                .ciphers(Http2SecurityUtil.CIPHERS, SupportedCipherSuiteFilter.INSTANCE)
                .applicationProtocolConfig(HTTP_2)
                .build();
    }

    /** Netty's builder makes the same by way of encrypted key stores, at four times the cost of a handshake. */
    private static SslContext ofJdk(SSLContext tls, boolean isClient) {
        return new JdkSslContext(
                tls,
                isClient,
                Http2SecurityUtil.CIPHERS,
                SupportedCipherSuiteFilter.INSTANCE,
                HTTP_2,
                isClient ? ClientAuth.NONE : ClientAuth.REQUIRE,
                new String[] {TLS},
                false);
    }
}
