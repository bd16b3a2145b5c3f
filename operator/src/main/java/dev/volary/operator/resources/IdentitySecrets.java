// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.resources;

import dev.volary.job.resource.IterativeJob;
import dev.volary.job.resource.Names;
import dev.volary.mesh.tls.CertificateAuthority;
import dev.volary.mesh.tls.Identity;
import dev.volary.mesh.v1.TlsIdentity;
import dev.volary.operator.pod.PodName;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.Base64;
import java.util.Map;

/** Builds the Secrets of a job: one for its certificate authority, and one for the certificate and key of each pod. */
public final class IdentitySecrets {
    private static final String CERTIFICATE = "tls.crt";
    private static final String KEY = "tls.key";

    private IdentitySecrets() {}

    /** The Secret of a certificate authority. */
    public static Secret authority(IterativeJob job, CertificateAuthority authority) {
        return new SecretBuilder()
                .withMetadata(OwnedMetadata.meta(
                        job, Names.authority(job.getMetadata().getName())))
                .withType("Opaque")
                .withData(Map.of(
                        Names.AUTHORITY_CERTIFICATE, encoded(authority.certificatePem()),
                        Names.AUTHORITY_KEY, encoded(authority.privateKeyPem())))
                .build();
    }

    /**
     * Reads the certificate authority from its Secret.
     *
     * @throws GeneralSecurityException if the Secret contains none
     */
    public static CertificateAuthority authority(IterativeJob job, Secret secret) throws GeneralSecurityException {
        Map<String, String> data = secret.getData() == null ? Map.of() : secret.getData();
        return CertificateAuthority.of(
                job.getMetadata().getNamespace(),
                job.getMetadata().getName(),
                decoded(data.getOrDefault(Names.AUTHORITY_CERTIFICATE, "")),
                decoded(data.getOrDefault(Names.AUTHORITY_KEY, "")));
    }

    /** The Secret of a pod with a new identity. Its keys are the names of the files that the pod reads. */
    public static Secret identity(IterativeJob job, CertificateAuthority authority, PodName podName, Instant now)
            throws GeneralSecurityException {
        String pod = podName.of(job.getMetadata().getName());
        TlsIdentity pem = authority.issue(podName.role().label(), pod, now).toPem();
        return new SecretBuilder()
                .withMetadata(OwnedMetadata.meta(job, Names.identity(pod)))
                .withType("kubernetes.io/tls")
                .withData(Map.of(
                        Names.AUTHORITY_CERTIFICATE,
                        encoded(pem.getAuthorityPem()),
                        CERTIFICATE,
                        encoded(pem.getCertificateChainPem()),
                        KEY,
                        encoded(pem.getPrivateKeyPem())))
                .build();
    }

    /**
     * When to reissue the identity in a Secret: at half of the lifetime of its certificate, or at once if the Secret contains no
     * identity that this authority has signed.
     */
    public static Instant renewalTime(Secret secret, CertificateAuthority authority) {
        Map<String, String> data = secret.getData() == null ? Map.of() : secret.getData();
        try {
            Identity identity = Identity.of(TlsIdentity.newBuilder()
                    .setAuthorityPem(decoded(data.getOrDefault(Names.AUTHORITY_CERTIFICATE, "")))
                    .setCertificateChainPem(decoded(data.getOrDefault(CERTIFICATE, "")))
                    .setPrivateKeyPem(decoded(data.getOrDefault(KEY, "")))
                    .build());
            identity.chain().getFirst().verify(authority.certificate().getPublicKey());
            return identity.renewalTime();
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            return Instant.MIN;
        }
    }

    private static String encoded(String pem) {
        return Base64.getEncoder().encodeToString(pem.getBytes(StandardCharsets.US_ASCII));
    }

    private static String decoded(String data) {
        return new String(Base64.getDecoder().decode(data), StandardCharsets.US_ASCII);
    }
}
