// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.tls;

import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Set;
import java.util.function.BiConsumer;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import javax.net.ssl.X509TrustManager;

/**
 * Trusts certificates that the job's authority signed and that name a worker of the job, if asked for, of certain roles. Host
 * names are not looked at: workers have identities, and their addresses change.
 */
public final class JobTrustManager extends X509ExtendedTrustManager {
    private final X509TrustManager authority;
    private final SpiffeId me;
    /** Those that are trusted; empty for all. */
    private final Set<String> roles;

    private final BiConsumer<String, String> refused;

    /**
     * Trusts all roles.
     *
     * @param refused receives each refused certificate: what it names, and the reason
     */
    public JobTrustManager(Identity identity, BiConsumer<String, String> refused) throws GeneralSecurityException {
        this(identity, Set.of(), refused);
    }

    /**
     * Trusts the given roles only.
     *
     * @param roles such as {@link SpiffeId#SPAWNER}; empty for all
     */
    public JobTrustManager(Identity identity, Set<String> roles, BiConsumer<String, String> refused)
            throws GeneralSecurityException {
        this.me = identity.id();
        this.roles = Set.copyOf(roles);
        this.refused = refused;
        try {
            KeyStore anchors = KeyStore.getInstance("PKCS12");
            anchors.load(null, null);
            anchors.setCertificateEntry("job", identity.authority());
            TrustManagerFactory factory = TrustManagerFactory.getInstance("PKIX");
            factory.init(anchors);
            this.authority = first(factory.getTrustManagers());
        } catch (IOException e) {
            throw new GeneralSecurityException("an empty key store cannot be made", e);
        }
    }

    private static X509TrustManager first(TrustManager[] managers) throws GeneralSecurityException {
        for (TrustManager manager : managers) {
            if (manager instanceof X509TrustManager x509) {
                return x509;
            }
        }
        throw new GeneralSecurityException("this JDK has no PKIX trust manager");
    }

    private void check(X509Certificate[] chain, String authType, boolean server) throws CertificateException {
        try {
            if (server) {
                authority.checkServerTrusted(chain, authType);
            } else {
                authority.checkClientTrusted(chain, authType);
            }
        } catch (CertificateException e) {
            String reason = "certificate is not signed by the authority of " + me + ": " + e.getMessage();
            refused.accept(nameOf(chain), reason);
            throw new CertificateException(reason, e);
        }
        try {
            checkIdentity(Identity.idOf(chain[0]));
        } catch (CertificateException e) {
            refused.accept(nameOf(chain), String.valueOf(e.getMessage()));
            throw e;
        }
    }

    private void checkIdentity(SpiffeId peer) throws CertificateException {
        if (!peer.sameJob(me)) {
            throw new CertificateException("identity " + peer + " belongs to another job than " + me);
        }
        if (!roles.isEmpty() && !roles.contains(peer.role())) {
            throw new CertificateException("the identity proven is " + peer + ", must have one of the roles "
                    + roles.stream().sorted().toList());
        }
    }

    private static String nameOf(X509Certificate[] chain) {
        try {
            return Identity.idOf(chain[0]).uri();
        } catch (CertificateException e) {
            return chain[0].getSubjectX500Principal().getName();
        }
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType) throws CertificateException {
        check(chain, authType, false);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType) throws CertificateException {
        check(chain, authType, true);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket)
            throws CertificateException {
        check(chain, authType, false);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket)
            throws CertificateException {
        check(chain, authType, true);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
            throws CertificateException {
        check(chain, authType, false);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
            throws CertificateException {
        check(chain, authType, true);
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return authority.getAcceptedIssuers();
    }
}
