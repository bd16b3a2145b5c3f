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
import java.util.Base64;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;

/** Builds the Secrets of a job: its certificate authority, and a certificate and key for each pod. */
public final class IdentitySecrets {
    private IdentitySecrets() {}

    /** Key of a pod's certificate. */
    static String certificate(String pod) {
        return pod + ".crt";
    }

    /** Key of a pod's private key. */
    static String key(String pod) {
        return pod + ".key";
    }

    /** Whether a Secret contains the identity of a pod. */
    public static boolean holds(Secret secret, String pod) {
        return secret.getData() != null && secret.getData().containsKey(key(pod));
    }

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

    /**
     * The Secret of the identities of all pods.
     *
     * @param old data of the present Secret
     * @param kept pods whose identities are copied from {@code old}; all others are dropped
     * @param wanted pods that get a new identity if they have none
     */
    public static Secret identities(
            IterativeJob job,
            CertificateAuthority authority,
            Map<String, String> old,
            Collection<String> kept,
            Collection<PodName> wanted)
            throws GeneralSecurityException {
        Map<String, String> data = new TreeMap<>();
        for (String pod : kept) {
            if (old.containsKey(key(pod))) {
                data.put(certificate(pod), old.getOrDefault(certificate(pod), ""));
                data.put(key(pod), old.getOrDefault(key(pod), ""));
            }
        }
        for (PodName podName : wanted) {
            String pod = podName.of(job.getMetadata().getName());
            if (!data.containsKey(key(pod))) {
                TlsIdentity pem = authority.issue(podName.role().label(), pod).toPem();
                data.put(certificate(pod), encoded(pem.getCertificateChainPem()));
                data.put(key(pod), encoded(pem.getPrivateKeyPem()));
            }
        }
        data.put(Names.AUTHORITY_CERTIFICATE, encoded(authority.certificatePem()));
        return new SecretBuilder()
                .withMetadata(OwnedMetadata.meta(
                        job, Names.identities(job.getMetadata().getName())))
                .withType("Opaque")
                .withData(data)
                .build();
    }

    /** The identity with which the operator connects to the workers of a job. */
    public static Identity operator(CertificateAuthority authority) throws GeneralSecurityException {
        return authority.issue("operator", "operator");
    }

    private static String encoded(String pem) {
        return Base64.getEncoder().encodeToString(pem.getBytes(StandardCharsets.US_ASCII));
    }

    private static String decoded(String data) {
        return new String(Base64.getDecoder().decode(data), StandardCharsets.US_ASCII);
    }
}
