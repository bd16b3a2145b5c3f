// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.tls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;

class ReloadableIdentityTest {
    private static final int TIMEOUT_MILLIS = 20_000;

    private final CertificateAuthority authority;

    ReloadableIdentityTest() throws GeneralSecurityException {
        authority = new CertificateAuthority("default", "heat");
    }

    @Test
    void aHandshakeAfterAReloadPresentsTheNewCertificateAndOpenConnectionsStay() throws Exception {
        Identity first = authority.issue("daemon", "daemon-1");
        Identity second = authority.issue("daemon", "daemon-1");
        ReloadableIdentity identity = new ReloadableIdentity(first);
        Identity client = authority.issue("spawner", "spawner-1");
        try (Server server = new Server(identity);
                SSLSocket before = connect(context(client), server)) {
            assertEquals(serial(first), peerSerial(before.getSession()));
            identity.replace(second);
            // A new context has no TLS session to resume, which would keep the former certificate.
            try (SSLSocket after = connect(context(client), server)) {
                assertEquals(serial(second), peerSerial(after.getSession()));
                assertNotEquals(serial(first), serial(second));
            }
            assertEquals(serial(client), ask(before));
        }
    }

    @Test
    void aClientPresentsTheNewCertificateToTheNextServer() throws Exception {
        Identity first = authority.issue("daemon", "daemon-1");
        Identity second = authority.issue("daemon", "daemon-1");
        ReloadableIdentity identity = new ReloadableIdentity(first);
        SSLContext client = context(identity);
        Identity peer = authority.issue("spawner", "spawner-1");
        try (Server one = new Server(peer);
                Server other = new Server(peer);
                SSLSocket before = connect(client, one)) {
            assertEquals(serial(first), ask(before));
            identity.replace(second);
            try (SSLSocket after = connect(client, other)) {
                assertEquals(serial(second), ask(after));
            }
            assertEquals(serial(first), ask(before), "the open connection");
        }
    }

    @Test
    void whatIsNotAReissuedCertificateOfThisWorkerIsRefusedAndTheFormerStays() throws Exception {
        Identity first = authority.issue("daemon", "daemon-1");
        ReloadableIdentity identity = new ReloadableIdentity(first);
        Identity renamed = authority.issue("daemon", "daemon-2");
        Identity promoted = authority.issue("spawner", "daemon-1");
        Identity foreign = new CertificateAuthority("default", "heat").issue("daemon", "daemon-1");
        Identity second = authority.issue("daemon", "daemon-1");
        Identity torn = new Identity(second.id(), second.chain(), first.key(), second.authority());
        assertEquals(
                "the new certificate is of " + renamed.id() + ", not of " + first.id(), refusal(identity, renamed));
        assertEquals(
                "the new certificate is of " + promoted.id() + ", not of " + first.id(), refusal(identity, promoted));
        assertEquals(
                "the new certificate of " + first.id() + " is signed by another authority than the former one",
                refusal(identity, foreign));
        assertEquals("the new key of " + first.id() + " is not that of the new certificate", refusal(identity, torn));
        assertSame(first, identity.current());
        identity.replace(second);
        assertSame(second, identity.current());
    }

    @Test
    void anIdentityIsDueAtHalfOfItsLifetime() throws Exception {
        Instant now = Instant.parse("2026-01-31T00:00:00Z");
        Identity identity = authority.issue("daemon", "daemon-1", now);
        assertEquals(now.plus(CertificateAuthority.RENEWAL_AGE), identity.renewalTime());
        assertEquals(Duration.ofDays(14).plusHours(12), CertificateAuthority.RENEWAL_AGE);
        assertEquals(
                now.plus(Duration.ofDays(30)),
                identity.chain().getFirst().getNotAfter().toInstant());
    }

    @Test
    void aRenewedAuthorityAndTheFormerOneTrustWhatEitherHasSigned() throws Exception {
        Instant longAgo = Instant.now().minus(Duration.ofDays(11 * 365));
        CertificateAuthority expired = new CertificateAuthority("default", "heat", "uid-1", longAgo);
        CertificateAuthority renewed = expired.renewed(Instant.now());
        assertTrue(expired.certificate().getNotAfter().toInstant().isBefore(Instant.now()));
        assertTrue(renewed.certificate().getNotAfter().toInstant().isAfter(Instant.now()));
        assertTrue(renewed.isOf("uid-1"));
        assertEquals(expired.privateKeyPem(), renewed.privateKeyPem());
        Identity former = expired.issue("daemon", "daemon-1");
        Identity next = renewed.issue("daemon", "daemon-2");
        trust(former).checkClientTrusted(next.chain().toArray(X509Certificate[]::new), "ECDHE_ECDSA");
        trust(next).checkClientTrusted(former.chain().toArray(X509Certificate[]::new), "ECDHE_ECDSA");
        ReloadableIdentity identity = new ReloadableIdentity(former);
        identity.replace(renewed.issue("daemon", "daemon-1"));
    }

    private static String refusal(ReloadableIdentity identity, Identity next) {
        return String.valueOf(assertThrows(GeneralSecurityException.class, () -> identity.replace(next))
                .getMessage());
    }

    private static JobTrustManager trust(Identity identity) throws GeneralSecurityException {
        return new JobTrustManager(identity, (peer, reason) -> {});
    }

    private static SSLContext context(IdentitySource identity) throws GeneralSecurityException {
        return TlsContexts.context(identity, trust(identity.current()));
    }

    private static SSLSocket connect(SSLContext client, Server server) throws IOException {
        SSLSocket socket = (SSLSocket)
                client.getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), server.socket.getLocalPort());
        socket.setSoTimeout(TIMEOUT_MILLIS);
        socket.startHandshake();
        return socket;
    }

    /** The serial number of this end's certificate, as the server knows it. */
    private static String ask(SSLSocket socket) throws IOException {
        socket.getOutputStream().write('?');
        return new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII)).readLine();
    }

    private static String serial(Identity identity) {
        return identity.chain().getFirst().getSerialNumber().toString();
    }

    private static String peerSerial(SSLSession session) throws IOException {
        Certificate leaf = session.getPeerCertificates()[0];
        return ((X509Certificate) leaf).getSerialNumber().toString();
    }

    /** Answers each byte with a line: the serial number of the client's certificate. */
    private static final class Server implements AutoCloseable {
        private final SSLServerSocket socket;

        Server(IdentitySource identity) throws IOException, GeneralSecurityException {
            socket = (SSLServerSocket) context(identity)
                    .getServerSocketFactory()
                    .createServerSocket(0, 5, InetAddress.getLoopbackAddress());
            socket.setNeedClientAuth(true);
            Thread.ofVirtual().start(this::accept);
        }

        private void accept() {
            try {
                while (true) {
                    Socket accepted = socket.accept();
                    Thread.ofVirtual().start(() -> answer((SSLSocket) accepted));
                }
            } catch (IOException closed) {
                // The test is over.
            }
        }

        private static void answer(SSLSocket client) {
            try (client) {
                while (client.getInputStream().read() >= 0) {
                    String line = peerSerial(client.getSession()) + "\n";
                    client.getOutputStream().write(line.getBytes(StandardCharsets.US_ASCII));
                }
            } catch (IOException closed) {
                // The client sees it too.
            }
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }
}
