// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.reconcile;

import dev.volary.job.resource.IterativeJob;
import dev.volary.job.resource.Names;
import dev.volary.job.resource.Ownership;
import dev.volary.mesh.tls.CertificateAuthority;
import dev.volary.operator.pod.PodName;
import dev.volary.operator.resources.IdentitySecrets;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Creates the certificate authority of each job and the identities of its pods, and stores each in a Secret of its own: a node may
 * read the Secrets of the pods on it, and one Secret holds at most 1 MiB. Throws {@link NameTakenException} instead of using a
 * Secret of another owner, including an earlier job of the same name. Safe for several threads.
 */
final class JobCertificates {
    /** Number of pods whose Secrets are checked for other owners, to name them in one message. */
    private static final int CHECKED_PODS = 10;
    /** Suffix of the name that the authority's Secret had while names did not begin with {@code volary-}. */
    private static final String EARLIER_AUTHORITY = "-ca";

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

    /**
     * Creates the Secret of a pod that does not exist yet. A Secret that this job owns already is used: an earlier attempt has
     * created it.
     */
    void issue(IterativeJob job, JobCache cache, PodName pod) throws IOException {
        if (cache.identities.contains(pod)) {
            return;
        }
        String name = Names.identity(pod.of(job.getMetadata().getName()));
        try {
            client.resource(IdentitySecrets.identity(job, of(job), pod)).create();
        } catch (GeneralSecurityException e) {
            throw new IOException("identity " + name + " cannot be created", e);
        } catch (KubernetesClientException e) {
            if (e.getCode() != HttpURLConnection.HTTP_CONFLICT || ownSecret(job, name) == null) {
                throw e;
            }
        }
        cache.identities.add(pod);
    }

    /**
     * Deletes the Secrets of pods that are not in use. Leaves those of other owners.
     *
     * @param used pods that exist or are about to be created
     */
    void deleteUnused(IterativeJob job, JobCache cache, Set<PodName> used) {
        for (PodName pod : List.copyOf(cache.identities)) {
            if (used.contains(pod)) {
                continue;
            }
            Secret found = secret(job, Names.identity(pod.of(job.getMetadata().getName())));
            if (found != null && Ownership.isBy(job, found)) {
                client.resource(found)
                        .lockResourceVersion(found.getMetadata().getResourceVersion())
                        .delete();
            }
            cache.identities.remove(pod);
        }
    }

    /** The Secrets whose names are taken, of the job and of the first pods that it needs. */
    TakenNames taken(IterativeJob job, List<PodName> wanted) {
        String name = job.getMetadata().getName();
        TakenNames taken = new TakenNames(job);
        Stream.concat(
                        Stream.of(Names.authority(name)),
                        wanted.stream().limit(CHECKED_PODS).map(pod -> Names.identity(pod.of(name))))
                .map(each -> secret(job, each))
                .filter(Objects::nonNull)
                .forEach(taken::isOwned);
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
            CertificateAuthority created = startedBefore(job)
                    .orElse(new CertificateAuthority(
                            job.getMetadata().getNamespace(), job.getMetadata().getName(), uid));
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

    /** The authority of a job that an operator with the earlier names has started: the job's pods trust no other one. */
    private Optional<CertificateAuthority> startedBefore(IterativeJob job) throws GeneralSecurityException {
        Secret earlier = secret(job, job.getMetadata().getName() + EARLIER_AUTHORITY);
        return earlier == null || !Ownership.isBy(job, earlier)
                ? Optional.empty()
                : Optional.of(IdentitySecrets.authority(job, earlier))
                        .filter(authority -> authority.isOf(job.getMetadata().getUid()));
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
