package dev.volary.mesh.tls;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;

/** A worker's identity for libraries that make their own sockets. */
public final class JobTls {
    private JobTls() {}

    /**
     * TLS 1.3 that shows {@code identity} and trusts {@code trust}, for both ends of a connection.
     *
     * @throws GeneralSecurityException if the key does not fit the certificate, or this JDK lacks an algorithm
     */
    public static SSLContext context(Identity identity, JobTrust trust) throws GeneralSecurityException {
        char[] unprotected = new char[0]; // the store never leaves this method
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try {
            keys.load(null, null);
        } catch (IOException e) {
            throw new GeneralSecurityException("an empty key store cannot be made", e);
        }
        keys.setKeyEntry("worker", identity.key(), unprotected, identity.chain().toArray(Certificate[]::new));
        KeyManagerFactory factory = KeyManagerFactory.getInstance("PKIX");
        factory.init(keys, unprotected);
        SSLContext context = SSLContext.getInstance("TLSv1.3");
        context.init(factory.getKeyManagers(), new TrustManager[] {trust}, null);
        return context;
    }
}
