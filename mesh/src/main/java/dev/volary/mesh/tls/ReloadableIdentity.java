// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.tls;

import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.SignatureException;
import java.security.cert.CertificateException;

/**
 * The identity of a worker whose certificate is reissued while it runs. New handshakes present the newest one; open connections
 * stay, and a TLS session that is resumed keeps the certificates of its first handshake. Safe for several threads.
 */
public final class ReloadableIdentity implements IdentitySource {
    private volatile Identity current;

    public ReloadableIdentity(Identity first) {
        this.current = first;
    }

    @Override
    public Identity current() {
        return current;
    }

    /**
     * Presents another identity from the next handshake on.
     *
     * @throws GeneralSecurityException if it names another worker, its job has another authority, or its key is not that of its
     *     certificate, as when one of two files was read before both were replaced; the former identity stays
     */
    public void replace(Identity next) throws GeneralSecurityException {
        Identity former = current;
        if (!next.id().equals(former.id())) {
            throw new CertificateException("the new certificate is of " + next.id() + ", not of " + former.id());
        }
        try {
            next.chain().getFirst().verify(former.authority().getPublicKey());
        } catch (InvalidKeyException | SignatureException e) {
            throw new CertificateException(
                    "the new certificate of " + next.id() + " is signed by another authority than the former one", e);
        }
        if (!next.isKeyOfCertificate()) {
            throw new CertificateException("the new key of " + next.id() + " is not that of the new certificate");
        }
        current = next;
    }
}
