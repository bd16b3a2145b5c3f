// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.reconcile;

import dev.volary.job.resource.IterativeJob;
import dev.volary.job.resource.Names;
import dev.volary.mesh.tls.CertificateAuthority;
import dev.volary.operator.objects.IdentitySecrets;
import dev.volary.operator.pod.PodName;
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
 * Keeps each job's authority in a secret of its own, and the identities of its pods in another. A secret of another owner, an
 * earlier job of the same name included, is neither read nor written: {@link NameTakenException}. Safe for several threads.
 */
final class JobCertificates {
    private final KubernetesClient client;
    private final Map<String, CertificateAuthority> known = new ConcurrentHashMap<>();

    JobCertificates(KubernetesClient client) {
        this.client = client;
    }

    /**
     * The authority of a job; made if there is none.
     *
     * @throws IOException if this JDK cannot make one, or the secret holds none or is another owner's
     */
    CertificateAuthority of(IterativeJob job) throws IOException {
        CertificateAuthority cached = known.get(job.getMetadata().getUid());
        if (cached != null) {
            return cached;
        }
        try {
            CertificateAuthority authority = readOrMake(job);
            known.put(job.getMetadata().getUid(), authority);
            return authority;
        } catch (GeneralSecurityException e) {
            throw new IOException(
                    "secret " + Names.authority(job.getMetadata().getName()) + " holds no usable authority; delete it"
                            + " and the job's pods to start with a new one",
                    e);
        }
    }

    /** Sees to it that pods have identities in the job's secret, and drops those of pods that are no more. */
    void issue(IterativeJob job, JobCache memory, Collection<PodName> wanted, Collection<String> living)
            throws IOException {
        String name = job.getMetadata().getName();
        List<String> names = wanted.stream().map(pod -> pod.of(name)).toList();
        if (memory.identities != null && memory.identities.containsAll(names)) {
            return;
        }
        CertificateAuthority authority = of(job);
        Secret old = ownSecret(job, Names.identities(name));
        Map<String, String> held = old == null || old.getData() == null ? Map.of() : old.getData();
        Set<String> kept = new HashSet<>(living);
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
            throw new IOException("identities of " + names + " cannot be made", e);
        }
        memory.identities = kept;
    }

    /** Those of a job's secrets whose names are taken. */
    TakenNames taken(IterativeJob job) {
        TakenNames taken = new TakenNames(job);
        String name = job.getMetadata().getName();
        for (String each : List.of(Names.authority(name), Names.identities(name))) {
            Secret there = secret(job, each);
            if (there != null) {
                taken.isOurs(there);
            }
        }
        return taken;
    }

    void forget(String uid) {
        known.remove(uid);
    }

    private CertificateAuthority readOrMake(IterativeJob job) throws GeneralSecurityException, IOException {
        String name = Names.authority(job.getMetadata().getName());
        String uid = job.getMetadata().getUid();
        Secret secret = ownSecret(job, name);
        if (secret == null) {
            CertificateAuthority made = new CertificateAuthority(
                    job.getMetadata().getNamespace(), job.getMetadata().getName(), uid);
            try {
                client.resource(IdentitySecrets.authority(job, made)).create();
                return made;
            } catch (KubernetesClientException e) {
                if (e.getCode() != HttpURLConnection.HTTP_CONFLICT) {
                    throw e;
                }
                secret = ownSecret(job, name);
            }
        }
        if (secret == null) {
            throw new GeneralSecurityException("secret " + name + " vanished while it was made");
        }
        CertificateAuthority authority = IdentitySecrets.authority(job, secret);
        if (!authority.isOf(uid)) {
            throw new GeneralSecurityException("its certificate is of "
                    + authority.certificate().getSubjectX500Principal() + ", not of the job with UID " + uid);
        }
        return authority;
    }

    /** A secret of this job; nothing if there is none. */
    private @Nullable Secret ownSecret(IterativeJob job, String name) throws NameTakenException {
        Secret there = secret(job, name);
        TakenNames taken = new TakenNames(job);
        if (there != null && !taken.isOurs(there)) {
            throw new NameTakenException(taken);
        }
        return there;
    }

    private @Nullable Secret secret(IterativeJob job, String name) {
        return client.secrets()
                .inNamespace(job.getMetadata().getNamespace())
                .withName(name)
                .get();
    }
}
