// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.tls;

import java.security.GeneralSecurityException;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;

/** A worker's identity as the JDK's TLS wants it. */
public final class TlsContexts {
    /** Sessions that can be resumed: those of the workers that this one knows, and of some that have ended. */
    private static final int MOST_SESSIONS = 256;

    private TlsContexts() {}

    /**
     * TLS 1.3 that shows the current identity in each handshake and trusts {@code trust}, for both ends of a connection.
     *
     * @throws GeneralSecurityException if this JDK lacks an algorithm
     */
    public static SSLContext context(IdentitySource identity, JobTrustManager trust) throws GeneralSecurityException {
        SSLContext context = SSLContext.getInstance("TLSv1.3");
        context.init(new KeyManager[] {new SingleKeyManager(identity)}, new TrustManager[] {trust}, null);
        context.getClientSessionContext().setSessionCacheSize(MOST_SESSIONS);
        return context;
    }
}
