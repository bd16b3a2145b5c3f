// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.tls;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateEncodingException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/** Certificates and keys as text, RFC 7468. */
final class Pem {
    private Pem() {}

    static String certificate(X509Certificate certificate) {
        try {
            return armor("CERTIFICATE", certificate.getEncoded());
        } catch (CertificateEncodingException e) {
            throw new IllegalStateException(
                    "certificate of " + certificate.getSubjectX500Principal() + " cannot be encoded", e);
        }
    }

    static String key(PrivateKey key) {
        return armor("PRIVATE KEY", key.getEncoded());
    }

    static PrivateKey key(String field, String pem) throws GeneralSecurityException {
        return KeyFactory.getInstance("EC").generatePrivate(new PKCS8EncodedKeySpec(unarmor(field, pem)));
    }

    static List<X509Certificate> certificates(String field, String pem) throws GeneralSecurityException {
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
