// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.tls;

import dev.volary.mesh.v1.TlsIdentity;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.CertificateException;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What a worker proves itself with. Never written to a file by Volary: it goes from parent to child over stdin, and into pods by
 * Secrets.
 *
 * @param id named by the leaf certificate
 * @param chain leaf first
 * @param key of the leaf
 * @param authority that signed all certificates of the job
 */
public record Identity(SpiffeId id, List<X509Certificate> chain, PrivateKey key, X509Certificate authority)
        implements IdentitySource {
    private static final int URI_NAME = 6; // GeneralName choice of RFC 5280 §4.2.1.6

    public Identity {
        chain = List.copyOf(chain);
    }

    /**
     * Reads PEM texts.
     *
     * @throws GeneralSecurityException if a text is no certificate or EC key, naming which
     */
    public static Identity of(TlsIdentity pem) throws GeneralSecurityException {
        List<X509Certificate> chain = Pem.certificates("certificate_chain_pem", pem.getCertificateChainPem());
        X509Certificate authority =
                Pem.certificates("authority_pem", pem.getAuthorityPem()).getFirst();
        PrivateKey key = Pem.key("private_key_pem", pem.getPrivateKeyPem());
        return new Identity(idOf(chain.getFirst()), chain, key, authority);
    }

    @Override
    public Identity current() {
        return this;
    }

    /** When to reissue this identity: at half of the lifetime of its certificate. */
    public Instant renewalTime() {
        return CertificateAuthority.halfOfLifetime(chain.getFirst());
    }

    /** Whether the private key belongs to the leaf certificate. */
    boolean isKeyOfCertificate() throws GeneralSecurityException {
        byte[] probe = id.uri().getBytes(StandardCharsets.US_ASCII);
        Signature signature = Signature.getInstance("SHA256withECDSA");
        signature.initSign(key);
        signature.update(probe);
        byte[] signed = signature.sign();
        signature.initVerify(chain.getFirst().getPublicKey());
        signature.update(probe);
        return signature.verify(signed);
    }

    /** As PEM texts. */
    public TlsIdentity toPem() {
        return TlsIdentity.newBuilder()
                .setCertificateChainPem(chain.stream().map(Pem::certificate).collect(Collectors.joining()))
                .setPrivateKeyPem(Pem.key(key))
                .setAuthorityPem(Pem.certificate(authority))
                .build();
    }

    /**
     * The identity a certificate names.
     *
     * @throws CertificateException if it names none
     */
    public static SpiffeId idOf(X509Certificate certificate) throws CertificateException {
        Collection<List<?>> names;
        try {
            names = certificate.getSubjectAlternativeNames();
        } catch (CertificateParsingException e) {
            throw new CertificateException(
                    "certificate of " + certificate.getSubjectX500Principal() + " has unreadable alternative names", e);
        }
        if (names != null) {
            for (List<?> name : names) {
                if (name.getFirst().equals(URI_NAME) && name.get(1) instanceof String uri) {
                    try {
                        return SpiffeId.parse(uri);
                    } catch (IllegalArgumentException e) {
                        throw new CertificateException(e.getMessage(), e);
                    }
                }
            }
        }
        throw new CertificateException(
                "certificate of " + certificate.getSubjectX500Principal() + " names no spiffe:// identity");
    }

    @Override
    public String toString() {
        return "Identity[" + id + "]"; // never the key
    }
}
