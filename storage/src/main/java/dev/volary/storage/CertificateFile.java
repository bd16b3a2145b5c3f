// SPDX-License-Identifier: Apache-2.0
package dev.volary.storage;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** A file of certificates in PEM. */
final class CertificateFile {
    private CertificateFile() {}

    /**
     * Trust managers that trust exactly these authorities.
     *
     * @throws StorageRefusedException if the file has no certificate, or a damaged one
     */
    static TrustManager[] trustManagers(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            KeyStore authorities = KeyStore.getInstance(KeyStore.getDefaultType());
            authorities.load((@Nullable InputStream) null, null);
            int count = 0;
            for (Certificate certificate :
                    CertificateFactory.getInstance("X.509").generateCertificates(in)) {
                authorities.setCertificateEntry("authority-" + count++, certificate);
            }
            if (count == 0) {
                throw new GeneralSecurityException("there is no certificate in it");
            }
            TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            factory.init(authorities);
            return factory.getTrustManagers();
        } catch (GeneralSecurityException e) {
            throw new StorageRefusedException(
                    file.getFileName() + " is no file of certificates in PEM: " + e.getMessage(), e);
        }
    }
}
