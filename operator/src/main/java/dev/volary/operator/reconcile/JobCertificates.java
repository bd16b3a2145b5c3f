// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.reconcile;

import dev.volary.job.resource.IterativeJob;
import dev.volary.job.resource.Names;
import dev.volary.job.resource.Ownership;
import dev.volary.mesh.tls.CertificateAuthority;
import dev.volary.operator.pod.ObservedPod;
import dev.volary.operator.pod.PodName;
import dev.volary.operator.resources.IdentitySecrets;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.security.GeneralSecurityException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Creates the certificate authority of each job and the identities of its pods, and stores each in a Secret of its own: a node may
 * read the Secrets of the pods on it, and one Secret holds at most 1 MiB. Reissues them at half of their lifetime. Throws {@link NameTakenException} instead of using a
 * Secret of another owner, including an earlier job of the same name. Safe for several threads.
 */
final class JobCertificates {
    private static final Logger LOG = Logger.getLogger(JobCertificates.class.getName());
    /** Number of pods whose Secrets are checked for other owners, to name them in one message. */
    private static final int CHECKED_PODS = 10;
    /** Suffix of the name that the authority's Secret had while names did not begin with {@code volary-}. */
    private static final String EARLIER_AUTHORITY = "-ca";

    private final KubernetesClient client;
    private final Clock clock;
    private final Map<String, CertificateAuthority> known = new ConcurrentHashMap<>();

    JobCertificates(KubernetesClient client, Clock clock) {
        this.client = client;
        this.clock = clock;
    }

    /**
     * The certificate authority of a job; created if there is none, renewed with the same key at half of its lifetime.
     *
     * @throws IOException if it cannot be created, or the Secret contains none or belongs to another owner
     */
    CertificateAuthority of(IterativeJob job) throws IOException {
        CertificateAuthority cached = known.get(job.getMetadata().getUid());
        if (cached != null && clock.instant().isBefore(cached.renewalTime())) {
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
        Instant renewal = cache.renewals.get(pod);
        if (renewal == null || !clock.instant().isBefore(renewal)) {
            write(job, cache, pod);
        }
    }

    /** Reissues the identities of pods that are at half of their lifetime. The kubelet updates the files of the pods. */
    void renew(IterativeJob job, JobCache cache, List<ObservedPod> pods) throws IOException {
        for (ObservedPod pod : pods) {
            if (isDue(cache, pod, clock.instant())) {
                write(job, cache, pod.pod());
            }
        }
    }

    /**
     * Creates Secrets again that a person has deleted: the authority's, with its key, and those of pods. Checks the Secrets of pods
     * that have not started, and of some others at a time.
     *
     * @param interval time between two checks
     */
    void restore(IterativeJob job, JobCache cache, List<ObservedPod> pods, Duration interval) throws IOException {
        List<PodName> due = cache.secrets.due(pods, clock.instant(), interval);
        if (due.isEmpty()) {
            return;
        }
        String name = Names.authority(job.getMetadata().getName());
        if (ownSecret(job, name) == null) {
            client.resource(IdentitySecrets.authority(job, of(job))).create();
            LOG.warning(() -> "secret " + name + " was deleted, and is created again");
        }
        for (PodName pod : due) {
            if (ownSecret(job, Names.identity(pod.of(job.getMetadata().getName()))) == null) {
                write(job, cache, pod);
                LOG.warning(() -> "the secret of pod " + pod + " was deleted, and is created again");
            }
        }
    }

    /**
     * Whether the identity of a pod is to be reissued. Until this process has read it, it counts as issued when the pod was
     * created, which is at most half of a lifetime late.
     */
    static boolean isDue(JobCache cache, ObservedPod pod, Instant now) {
        return !pod.deleting()
                && !pod.hasEnded()
                && !now.isBefore(
                        cache.renewals.getOrDefault(pod.pod(), pod.created().plus(CertificateAuthority.RENEWAL_AGE)));
    }

    /** Creates the Secret of a pod, or replaces its content if that is at half of its lifetime. */
    private void write(IterativeJob job, JobCache cache, PodName pod) throws IOException {
        String name = Names.identity(pod.of(job.getMetadata().getName()));
        Instant now = clock.instant();
        CertificateAuthority authority = of(job);
        Secret next;
        try {
            next = IdentitySecrets.identity(job, authority, pod, now);
        } catch (GeneralSecurityException e) {
            throw new IOException("identity " + name + " cannot be created", e);
        }
        boolean mayExist =
                !cache.identities.add(pod); // before the request: it may be executed though the answer is lost
        Secret found = mayExist ? ownSecret(job, name) : null;
        if (found == null) {
            try {
                client.resource(next).create();
                cache.issued(pod, IdentitySecrets.renewalTime(next, authority));
                return;
            } catch (KubernetesClientException e) {
                found = e.getCode() == HttpURLConnection.HTTP_CONFLICT ? ownSecret(job, name) : null;
                if (found == null) {
                    throw e;
                }
            }
        }
        Instant renewal = IdentitySecrets.renewalTime(found, authority);
        if (!now.isBefore(renewal)) {
            next.getMetadata().setResourceVersion(found.getMetadata().getResourceVersion());
            client.resource(next).update();
            renewal = IdentitySecrets.renewalTime(next, authority);
            LOG.info(() -> "reissued the identity in secret " + name);
        }
        cache.issued(pod, renewal);
    }

    /**
     * Deletes the Secrets of pods that are not in use. Leaves those of other owners. Forgets a Secret once it was absent when it
     * was checked for a second time, since a single answer may be wrong.
     *
     * @param used pods that exist or are about to be created
     * @param recheck time until the second check
     */
    void deleteUnused(IterativeJob job, JobCache cache, Set<PodName> used, Duration recheck) {
        Instant now = clock.instant();
        cache.checkEarlierPods(now, recheck);
        for (PodName pod : List.copyOf(cache.identities)) {
            Instant due = cache.absent.get(pod);
            if (used.contains(pod) || (due != null && now.isBefore(due))) {
                continue;
            }
            cache.renewals.remove(pod); // a pod that is created under this name after all gets its Secret again
            Secret found = secret(job, Names.identity(pod.of(job.getMetadata().getName())));
            if (found != null && Ownership.isBy(job, found)) {
                client.resource(found)
                        .lockResourceVersion(found.getMetadata().getResourceVersion())
                        .delete();
                cache.absent.put(pod, now.plus(recheck));
            } else if (due == null) {
                cache.absent.put(pod, now.plus(recheck));
            } else {
                cache.identities.remove(pod);
                cache.absent.remove(pod);
            }
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
                            job.getMetadata().getNamespace(), job.getMetadata().getName(), uid, clock.instant()));
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
        if (clock.instant().isBefore(authority.renewalTime())) {
            return authority;
        }
        CertificateAuthority renewed = authority.renewed(clock.instant());
        Secret next = IdentitySecrets.authority(job, renewed);
        next.getMetadata().setResourceVersion(secret.getMetadata().getResourceVersion());
        client.resource(next).update();
        LOG.info(() -> "renewed the certificate authority in secret " + name);
        return renewed;
    }

    /** The authority of a job that an operator with the earlier names has started: the job's pods trust no other one. */
    private Optional<CertificateAuthority> startedBefore(IterativeJob job) throws GeneralSecurityException {
        Secret earlier = secret(job, job.getMetadata().getName() + EARLIER_AUTHORITY);
        return earlier == null || !Ownership.isBy(job, earlier)
                ? Optional.empty()
                : Optional.of(IdentitySecrets.authority(job, earlier).renewed(clock.instant()))
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
