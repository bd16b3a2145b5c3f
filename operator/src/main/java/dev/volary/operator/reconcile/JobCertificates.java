// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.reconcile;

import dev.volary.job.resource.IterativeJob;
import dev.volary.job.resource.Names;
import dev.volary.mesh.tls.CertificateAuthority;
import dev.volary.operator.pod.PodName;
import dev.volary.operator.resources.IdentitySecrets;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.security.GeneralSecurityException;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Creates the certificate authority of each job and the identities of its pods, and stores them in two Secrets. Throws {@link
 * NameTakenException} instead of using a Secret of another owner, including an earlier job of the same name. Safe for several
 * threads.
 */
final class JobCertificates {
    private final KubernetesClient client;
    private final Map<String, CertificateAuthority> known = new ConcurrentHashMap<>();

    JobCertificates(KubernetesClient client) {
        this.client = client;
    }

    /**
     * The certificate authority of a job; created if there is none.
     *
     * @throws IOException if it cannot be created, or the Secret contains none or belongs to another owner
     */
    CertificateAuthority of(IterativeJob job) throws IOException {
        CertificateAuthority cached = known.get(job.getMetadata().getUid());
        if (cached != null) {
            return cached;
        }
        try {
            CertificateAuthority authority = readOrCreate(job);
            known.put(job.getMetadata().getUid(), authority);
            return authority;
        } catch (GeneralSecurityException e) {
            throw new IOException(
                    "secret " + Names.authority(job.getMetadata().getName())
                            + " contains no usable certificate authority; delete it"
                            + " and the pods of the job, and the operator creates a new one",
                    e);
        }
    }

    /** Adds identities of pods to the Secret of the job, and removes those of pods that no longer exist. */
    void issue(IterativeJob job, JobCache cache, Collection<PodName> wanted, Collection<String> existing)
            throws IOException {
        String name = job.getMetadata().getName();
        List<String> names = wanted.stream().map(pod -> pod.of(name)).toList();
        if (cache.identities != null && cache.identities.containsAll(names)) {
            return;
        }
        CertificateAuthority authority = of(job);
        Secret old = ownSecret(job, Names.identities(name));
        Map<String, String> held = old == null || old.getData() == null ? Map.of() : old.getData();
        Set<String> kept = new HashSet<>(existing);
        kept.addAll(names);
        try {
            Secret next = IdentitySecrets.identities(job, authority, held, kept, wanted);
            if (old == null) {
                client.resource(next).create();
            } else if (!next.getData().equals(held)) {
                next.getMetadata().setResourceVersion(old.getMetadata().getResourceVersion());
                client.resource(next).update();
            }
        } catch (GeneralSecurityException e) {
            throw new IOException("identities of " + names + " cannot be created", e);
        }
        cache.identities = kept;
    }

    /** The Secrets of the job whose names are taken. */
    TakenNames taken(IterativeJob job) {
        TakenNames taken = new TakenNames(job);
        String name = job.getMetadata().getName();
        for (String each : List.of(Names.authority(name), Names.identities(name))) {
            Secret found = secret(job, each);
            if (found != null) {
                taken.isOwned(found);
            }
        }
        return taken;
    }

    void forget(String uid) {
        known.remove(uid);
    }

    private CertificateAuthority readOrCreate(IterativeJob job) throws GeneralSecurityException, IOException {
        String name = Names.authority(job.getMetadata().getName());
        String uid = job.getMetadata().getUid();
        Secret secret = ownSecret(job, name);
        if (secret == null) {
            CertificateAuthority created = new CertificateAuthority(
                    job.getMetadata().getNamespace(), job.getMetadata().getName(), uid);
            try {
                client.resource(IdentitySecrets.authority(job, created)).create();
                return created;
            } catch (KubernetesClientException e) {
                if (e.getCode() != HttpURLConnection.HTTP_CONFLICT) {
                    throw e;
                }
                secret = ownSecret(job, name);
            }
        }
        if (secret == null) {
            throw new GeneralSecurityException("secret " + name + " was deleted while it was created");
        }
        CertificateAuthority authority = IdentitySecrets.authority(job, secret);
        if (!authority.isOf(uid)) {
            throw new GeneralSecurityException("its certificate is of "
                    + authority.certificate().getSubjectX500Principal() + ", not of the job with UID " + uid);
        }
        return authority;
    }

    /** A Secret of this job; null if there is none. */
    private @Nullable Secret ownSecret(IterativeJob job, String name) throws NameTakenException {
        Secret found = secret(job, name);
        TakenNames taken = new TakenNames(job);
        if (found != null && !taken.isOwned(found)) {
            throw new NameTakenException(taken);
        }
        return found;
    }

    private @Nullable Secret secret(IterativeJob job, String name) {
        return client.secrets()
                .inNamespace(job.getMetadata().getNamespace())
                .withName(name)
                .get();
    }
}
