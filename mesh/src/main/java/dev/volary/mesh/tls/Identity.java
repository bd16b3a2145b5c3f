package dev.volary.mesh.tls;

import dev.volary.mesh.v1.TlsIdentity;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.List;

/**
 * What a worker proves itself with. Never written to a file by Volary: it goes from parent to child over stdin.
 *
 * @param id named by the leaf certificate
 * @param chain leaf first
 * @param key of the leaf
 * @param authority that signed all certificates of the job
 */
public record Identity(SpiffeId id, List<X509Certificate> chain, PrivateKey key, X509Certificate authority) {
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
        List<X509Certificate> chain = certificates("certificate_chain_pem", pem.getCertificateChainPem());
        X509Certificate authority =
                certificates("authority_pem", pem.getAuthorityPem()).getFirst();
        PrivateKey key = KeyFactory.getInstance("EC")
                .generatePrivate(new PKCS8EncodedKeySpec(unarmor("private_key_pem", pem.getPrivateKeyPem())));
        return new Identity(idOf(chain.getFirst()), chain, key, authority);
    }

    /** As PEM texts. */
    public TlsIdentity toPem() {
        try {
            StringBuilder certificates = new StringBuilder();
            for (X509Certificate certificate : chain) {
                certificates.append(armor("CERTIFICATE", certificate.getEncoded()));
            }
            return TlsIdentity.newBuilder()
                    .setCertificateChainPem(certificates.toString())
                    .setPrivateKeyPem(armor("PRIVATE KEY", key.getEncoded()))
                    .setAuthorityPem(armor("CERTIFICATE", authority.getEncoded()))
                    .build();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("certificate of " + id + " cannot be encoded", e);
        }
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

    private static List<X509Certificate> certificates(String field, String pem) throws GeneralSecurityException {
        List<X509Certificate> result = new ArrayList<>();
        for (Certificate certificate : CertificateFactory.getInstance("X.509")
                .generateCertificates(new ByteArrayInputStream(pem.getBytes(StandardCharsets.US_ASCII)))) {
            result.add((X509Certificate) certificate);
        }
        if (result.isEmpty()) {
            throw new CertificateException(field + " holds no certificate; expected PEM");
        }
        return result;
    }

    private static String armor(String label, byte[] der) {
        return "-----BEGIN " + label + "-----\n"
                + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der)
                + "\n-----END " + label + "-----\n";
    }

    private static byte[] unarmor(String field, String pem) throws GeneralSecurityException {
        StringBuilder body = new StringBuilder();
        pem.lines().filter(line -> !line.startsWith("-----")).forEach(body::append);
        if (body.isEmpty()) {
            throw new GeneralSecurityException(field + " is empty; expected a PKCS#8 key in PEM");
        }
        return Base64.getMimeDecoder().decode(body.toString());
    }
}
