// SPDX-License-Identifier: Apache-2.0
package dev.volary.bench;

import dev.volary.mesh.tls.Identity;
import dev.volary.mesh.tls.JobTrustManager;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;

/** The peer of the latency benchmark: blocking TLS 1.3 sockets, both sides authenticated, one thread each. */
final class RawTls {
    private RawTls() {}

    static ServerSocket listen(Identity identity) throws IOException, GeneralSecurityException {
        SSLServerSocket socket = (SSLServerSocket)
                context(identity).getServerSocketFactory().createServerSocket(0, 8, InetAddress.getLoopbackAddress());
        socket.setNeedClientAuth(true);
        return socket;
    }

    static SSLSocket connect(Identity identity, int port) throws IOException, GeneralSecurityException {
        SSLSocket socket =
                (SSLSocket) context(identity).getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), port);
        socket.setTcpNoDelay(true);
        socket.startHandshake();
        return socket;
    }

    /** Sends back what arrives: a length, then as many bytes. */
    static void echo(ServerSocket listening) {
        try (SSLSocket socket = (SSLSocket) listening.accept()) {
            socket.setTcpNoDelay(true);
            DataInputStream in = new DataInputStream(socket.getInputStream());
            DataOutputStream out = new DataOutputStream(socket.getOutputStream());
            byte[] buffer = new byte[1 << 16];
            while (true) {
                int length = in.readUnsignedShort();
                in.readFully(buffer, 2, length);
                buffer[0] = (byte) (length >> 8);
                buffer[1] = (byte) length;
                out.write(buffer, 0, length + 2);
            }
        } catch (java.io.EOFException | java.net.SocketException e) {
            return; // the parent has finished
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static SSLContext context(Identity identity) throws IOException, GeneralSecurityException {
        KeyStore keys = KeyStore.getInstance("PKCS12");
        keys.load(null, null);
        char[] password = "unused".toCharArray();
        keys.setKeyEntry("me", identity.key(), password, identity.chain().toArray(X509Certificate[]::new));
        KeyManagerFactory managers = KeyManagerFactory.getInstance("PKIX");
        managers.init(keys, password);
        SSLContext context = SSLContext.getInstance("TLSv1.3");
        JobTrustManager trust =
                new JobTrustManager(identity, (peer, reason) -> System.err.println(peer + " " + reason));
        context.init(managers.getKeyManagers(), new TrustManager[] {trust}, null);
        return context;
    }
}
