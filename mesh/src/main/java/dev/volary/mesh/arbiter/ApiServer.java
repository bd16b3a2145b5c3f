// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.arbiter;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * How a pod reaches the API server of its cluster.
 *
 * @param address as {@code https://10.0.0.1:443}
 * @param tokenFile replaced by the kubelet now and then, so read for each request
 * @param authorityFile who signed the server's certificate, PEM
 */
public record ApiServer(URI address, Path tokenFile, Path authorityFile) {
    private static final Path ACCOUNT = Path.of("/var/run/secrets/kubernetes.io/serviceaccount");

    /**
     * The server that the environment of a pod names.
     *
     * @param environment of the process
     * @throws IOException if this is no pod, or one without a service account
     */
    public static ApiServer ofPod(Map<String, String> environment) throws IOException {
        String host = environment.getOrDefault("KUBERNETES_SERVICE_HOST", "");
        String port = environment.getOrDefault("KUBERNETES_SERVICE_PORT", "443");
        if (host.isEmpty()) {
            throw new IOException("KUBERNETES_SERVICE_HOST is not set; a spawner needs the API server for its Lease");
        }
        // Where tests put the account's files.
        Path account = Path.of(environment.getOrDefault("VOLARY_SERVICE_ACCOUNT", ACCOUNT.toString()));
        return new ApiServer(
                URI.create("https://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + port),
                account.resolve("token"),
                account.resolve("ca.crt"));
    }

    /** The token as it is now. */
    String token() throws IOException {
        return Files.readString(tokenFile).strip();
    }

    /** TLS that trusts the cluster's authority alone. */
    SSLContext tls() throws IOException {
        try {
            KeyStore anchors = KeyStore.getInstance("PKCS12");
            anchors.load(null, null);
            int next = 0;
            for (Certificate certificate : CertificateFactory.getInstance("X.509")
                    .generateCertificates(new ByteArrayInputStream(Files.readAllBytes(authorityFile)))) {
                anchors.setCertificateEntry("cluster-" + next++, certificate);
            }
            TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
            trust.init(anchors);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IOException(authorityFile + " cannot be used: " + e.getMessage(), e);
        }
    }
}
