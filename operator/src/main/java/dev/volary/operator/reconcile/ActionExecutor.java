// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.reconcile;

import dev.volary.job.resource.IterativeJob;
import dev.volary.job.resource.Names;
import dev.volary.job.resource.Ownership;
import dev.volary.mesh.arbiter.LeaseArbiter;
import dev.volary.operator.metrics.OperatorMetrics;
import dev.volary.operator.plan.OperatorAction;
import dev.volary.operator.plan.PodRejection;
import dev.volary.operator.pod.ObservedPod;
import dev.volary.operator.pod.PodName;
import dev.volary.operator.pod.PodRole;
import dev.volary.operator.resources.JobResources;
import dev.volary.operator.resources.WorkerImageConfig;
import dev.volary.operator.resources.WorkerPod;
import dev.volary.operator.spawner.SpawnerClients;
import dev.volary.operator.status.ConditionReason;
import dev.volary.operator.status.Conditions;
import dev.volary.operator.status.EventReason;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.DeleteOptionsBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.informer.InformerEventSource;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.logging.Logger;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Executes the actions of a plan against the API server and the spawners. */
final class ActionExecutor {
    private static final Logger LOG = Logger.getLogger(ActionExecutor.class.getName());
    private static final int UNPROCESSABLE = 422;

    private final KubernetesClient client;
    private final WorkerImageConfig config;
    private final JobCertificates certificates;
    private final SpawnerPoller poller;
    private final EventPublisher events;
    private final OperatorMetrics metrics;
    private final Intervals intervals;

    ActionExecutor(
            KubernetesClient client,
            WorkerImageConfig config,
            JobCertificates certificates,
            SpawnerPoller poller,
            EventPublisher events,
            OperatorMetrics metrics,
            Intervals intervals) {
        this.client = client;
        this.config = config;
        this.certificates = certificates;
        this.poller = poller;
        this.events = events;
        this.metrics = metrics;
        this.intervals = intervals;
    }

    /**
     * Context of one reconciliation.
     *
     * @param job the job as it was written last
     * @param isStatusNew whether this reconciliation has changed its status
     * @param cache what this process remembers of the job
     * @param pods observed pods of the job
     * @param spawners addresses of its running spawners
     * @param now time of the reconciliation
     * @param context context of the framework
     * @param podCache cache of pods
     */
    record Pass(
            IterativeJob job,
            boolean isStatusNew,
            JobCache cache,
            List<ObservedPod> pods,
            List<SpawnerClients.At> spawners,
            Instant now,
            Context<IterativeJob> context,
            InformerEventSource<Pod, IterativeJob> podCache) {}

    /** Forgets the certificate authority of a deleted job. */
    void forget(String uid) {
        certificates.forget(uid);
    }

    /**
     * Executes all actions in order. A failed action does not prevent the following ones, but pods are created only if all
     * objects that they refer to belong to the job.
     *
     * @throws IOException if an action failed; the first failure is thrown, checked or not, with the others as suppressed
     *     exceptions
     */
    void execute(List<OperatorAction> actions, Pass pass) throws IOException {
        if (actions.stream().noneMatch(OperatorAction.CreatePods.class::isInstance)) {
            pass.cache().rejection = Optional.empty(); // no pod is missing
        }
        if (actions.stream().noneMatch(OperatorAction.ClearLeader.class::isInstance)) {
            pass.cache().isLeaderCleared = false; // the job may get a leader again
        }
        @Nullable Exception failure = null;
        TakenNames taken = new TakenNames(pass.job());
        forgetPods(pass);
        boolean retriesNames = !pass.now().isBefore(pass.cache().retryNames);
        boolean hasResources = retriesNames;
        for (OperatorAction action : actions) {
            try {
                switch (action) {
                    case OperatorAction.CreateResources ignored -> {
                        if (retriesNames) {
                            hasResources = false;
                            ensureResources(pass, taken);
                            hasResources = true;
                        }
                    }
                    case OperatorAction.CreatePods create -> {
                        if (hasResources) {
                            createPods(create.pods(), pass, taken);
                        }
                    }
                    case OperatorAction.DeletePod delete -> deletePod(delete.pod(), pass);
                    case OperatorAction.StopPod stop -> stopPod(stop.pod(), pass);
                    case OperatorAction.SendHint hint -> {
                        if (pass.cache().hinted.add(hint.pod() + " " + hint.hint())) {
                            poller.hint(pass.job(), pass.spawners(), hint.pod(), hint.hint());
                        }
                    }
                    case OperatorAction.ClearLeader ignored -> {
                        if (pass.isStatusNew() || !pass.cache().isLeaderCleared) {
                            pass.cache().isLeaderCleared = clearLeader(pass.job());
                        }
                    }
                    case OperatorAction.TakeCheckpoint take -> {
                        if (pass.cache().requested.add(take.request())) {
                            poller.checkpoint(pass.job(), pass.cache(), pass.spawners(), take.request());
                        }
                    }
                    case OperatorAction.PublishEvent event ->
                        events.publish(pass.job(), event.reason(), event.note(), pass.now());
                    case OperatorAction.CountLosses losses ->
                        metrics.lost(
                                pass.job().getMetadata().getNamespace(),
                                pass.job().getMetadata().getName(),
                                losses.cause(),
                                losses.workers());
                    case OperatorAction.DeleteJob delete -> deleteJob(delete.reason(), pass);
                }
            } catch (IOException | RuntimeException e) {
                failure = first(failure, e);
            }
        }
        pass.pods().forEach(pod -> pass.cache().identities.add(pod.pod())); // another operator may have created them
        try {
            certificates.deleteUnused(pass.job(), pass.cache(), used(actions, pass), intervals.resourceCheck());
            certificates.renew(pass.job(), pass.cache(), pass.pods());
            certificates.restore(pass.job(), pass.cache(), pass.pods(), intervals.resourceCheck());
        } catch (IOException | RuntimeException e) {
            failure = first(failure, e);
        }
        if (retriesNames) {
            showTakenNames(taken, hasResources, pass);
        }
        switch (failure) {
            case null -> {}
            case IOException e -> throw e;
            case RuntimeException e -> throw e;
            default -> throw new IllegalStateException(failure);
        }
    }

    private static void forgetPods(Pass pass) {
        Set<String> existing = pass.pods().stream().map(ObservedPod::uid).collect(Collectors.toSet());
        pass.cache().deleted.keySet().retainAll(existing);
        pass.cache().stopped.keySet().retainAll(existing);
    }

    private static Exception first(@Nullable Exception failure, Exception next) {
        if (failure == null) {
            return next;
        }
        if (!failure.equals(next)) {
            failure.addSuppressed(next);
        }
        return failure;
    }

    /** The pods that exist or that the plan creates, now or in a later attempt. */
    private static Set<PodName> used(List<OperatorAction> actions, Pass pass) {
        Set<PodName> used = new HashSet<>();
        pass.pods().forEach(pod -> used.add(pod.pod()));
        for (OperatorAction action : actions) {
            if (action instanceof OperatorAction.CreatePods create) {
                create.pods().forEach(pod -> used.add(pod.pod()));
            }
        }
        return used;
    }

    /** Publishes the events among the actions and executes nothing else. */
    void publishEvents(IterativeJob job, List<OperatorAction> actions, Instant now) {
        for (OperatorAction action : actions) {
            if (action instanceof OperatorAction.PublishEvent event) {
                events.publish(job, event.reason(), event.note(), now);
            }
        }
    }

    /** Shows which names are taken: in a condition as long as they are, and in one event. */
    private void showTakenNames(TakenNames taken, boolean hasResources, Pass pass) {
        JobCache cache = pass.cache();
        if (taken.isEmpty()) {
            if (hasResources) {
                cache.namesFree();
            }
            return;
        }
        PodRejection rejection = taken.rejection();
        if (!cache.taken.equals(Optional.of(rejection))) {
            LOG.warning(() -> pass.job().getMetadata().getName() + ": name taken: " + rejection.message());
        }
        if (cache.taken.isEmpty() && !hasReason(pass.job(), ConditionReason.NameTaken)) {
            events.publish(pass.job(), EventReason.NameTaken, rejection.message(), pass.now());
        }
        cache.namesTaken(rejection, pass.now());
    }

    private static boolean hasReason(IterativeJob job, ConditionReason reason) {
        return job.getStatus() != null && Conditions.show(job.getStatus().conditions(), reason);
    }

    /** Deletes the job, unless it was changed or replaced since it was read. Publishes that once, however often it is retried. */
    private void deleteJob(String reason, Pass pass) {
        if (!pass.cache().hasExpired) {
            pass.cache().hasExpired = true;
            events.publish(pass.job(), EventReason.Expired, reason, pass.now());
        }
        client.resource(pass.job())
                .lockResourceVersion(pass.job().getMetadata().getResourceVersion())
                .delete();
    }

    /**
     * Removes the leader from the Lease but keeps the term, so that an unreachable former leader stays stale. Returns whether the
     * job has a Lease, and it names no leader.
     */
    private boolean clearLeader(IterativeJob job) {
        var lease = client.leases()
                .inNamespace(job.getMetadata().getNamespace())
                .withName(Names.lease(job.getMetadata().getName()));
        Lease found = lease.get();
        if (found == null || !Ownership.isBy(job, found)) {
            return false;
        }
        if (found.getSpec().getHolderIdentity() == null) {
            return true;
        }
        found.getSpec().setHolderIdentity(null);
        if (found.getMetadata().getAnnotations() != null) {
            found.getMetadata().getAnnotations().remove(LeaseArbiter.MEMBERS);
        }
        client.resource(found).update();
        return true;
    }

    /** Creates missing objects. Checks every ten minutes that all of them exist and belong to the job. */
    private void ensureResources(Pass pass, TakenNames taken) {
        IterativeJob job = pass.job();
        JobCache cache = pass.cache();
        String inputs =
                job.getMetadata().getGeneration() + " " + job.getStatus().blocks();
        if (cache.ensured.equals(inputs) && pass.now().isBefore(cache.ensuredUntil)) {
            return;
        }
        for (HasMetadata object : JobResources.of(job, config)) {
            HasMetadata existing = getOrCreate(object);
            if (taken.isOwned(existing)
                    && object instanceof ConfigMap wanted
                    && existing instanceof ConfigMap found
                    && !Objects.equals(wanted.getData(), found.getData())) {
                wanted.getMetadata().setResourceVersion(found.getMetadata().getResourceVersion());
                client.resource(wanted).update();
            }
        }
        if (taken.isEmpty()) {
            cache.ensured = inputs;
            cache.ensuredUntil = pass.now().plus(intervals.resourceCheck());
        }
    }

    private HasMetadata getOrCreate(HasMetadata object) {
        HasMetadata existing = client.resource(object).get();
        if (existing != null) {
            return existing;
        }
        try {
            return client.resource(object).create();
        } catch (KubernetesClientException e) {
            if (!alreadyExists(e)) {
                throw e;
            }
            HasMetadata other = client.resource(object).get();
            if (other == null) {
                throw e; // it was deleted again; the reconciliation is retried
            }
            return other;
        }
    }

    /** Whether an object with this name exists already. */
    static boolean alreadyExists(KubernetesClientException e) {
        return e.getCode() == HttpURLConnection.HTTP_CONFLICT
                && e.getStatus() != null
                && "AlreadyExists".equals(e.getStatus().getReason());
    }

    private void createPods(List<OperatorAction.NewPod> wanted, Pass pass, TakenNames taken) throws IOException {
        JobCache cache = pass.cache();
        if (pass.now().isBefore(cache.retryPods)) {
            return;
        }
        IterativeJob job = pass.job();
        List<PodName> names = wanted.stream().map(OperatorAction.NewPod::pod).toList();
        if (!taken.isEmpty()) {
            taken.addAll(certificates.taken(job, names)); // report all taken names at once
            return;
        }
        for (OperatorAction.NewPod pod : wanted) {
            try {
                certificates.issue(job, cache, pod.pod());
            } catch (NameTakenException e) {
                taken.addAll(e.taken());
                taken.addAll(certificates.taken(job, names));
                return;
            }
            try {
                pass.context()
                        .resourceOperations()
                        .create(WorkerPod.of(job, pod.pod(), pod.group(), config), pass.podCache());
                cache.rejection = Optional.empty();
            } catch (KubernetesClientException e) {
                if (isRejection(e)) {
                    rejected(PodRejection.of(FailedAttempts.text(e)), pass);
                    return;
                }
                if (!alreadyExists(e)) {
                    throw e;
                }
                if (!adopt(pod.pod(), pass)) {
                    // another job has used this name, so the next reconciliation tries the next serial
                    cache.hasUsedNames = true;
                }
            }
            markUsed(cache, pod.pod());
        }
    }

    /** Adds a pod of this job to the cache that an earlier request has created, though its answer was lost. */
    private boolean adopt(PodName name, Pass pass) {
        Pod found = client.pods()
                .inNamespace(pass.job().getMetadata().getNamespace())
                .withName(name.of(pass.job().getMetadata().getName()))
                .get();
        if (found == null || !Ownership.isBy(pass.job(), found)) {
            return false;
        }
        pass.podCache().handleRecentResourceCreate(ResourceID.fromResource(found), found);
        return true;
    }

    /** Shows why a pod was rejected: in a condition as long as it is, and in one event. */
    private void rejected(PodRejection rejection, Pass pass) {
        JobCache cache = pass.cache();
        if (!cache.rejection.equals(Optional.of(rejection))) {
            events.publish(pass.job(), EventReason.PodRefused, rejection.message(), pass.now());
        }
        cache.rejection = Optional.of(rejection);
        cache.retryPods = pass.now().plus(intervals.podRetry());
        LOG.warning(() -> pass.job().getMetadata().getName() + ": pod rejected: " + rejection.message());
    }

    private static void markUsed(JobCache cache, PodName pod) {
        if (pod.role() == PodRole.DAEMON) {
            cache.nextDaemon = Math.max(cache.nextDaemon, pod.serial() + 1);
        } else {
            cache.nextSpawner = Math.max(cache.nextSpawner, pod.serial() + 1);
        }
    }

    private static boolean isRejection(KubernetesClientException e) {
        return e.getCode() == HttpURLConnection.HTTP_FORBIDDEN
                || e.getCode() == UNPROCESSABLE
                || e.getCode() == HttpURLConnection.HTTP_BAD_REQUEST;
    }

    /** Deletes the pod with this UID, but not another pod that has its name now. */
    private void deletePod(ObservedPod pod, Pass pass) {
        if (isRecent(pass.cache().deleted.get(pod.uid()), pass)) {
            return;
        }
        try {
            client.raw(
                    "/api/v1/namespaces/" + pass.job().getMetadata().getNamespace() + "/pods/" + pod.name(),
                    "DELETE",
                    new DeleteOptionsBuilder()
                            .withNewPreconditions()
                            .withUid(pod.uid())
                            .endPreconditions()
                            .build());
        } catch (KubernetesClientException e) {
            if (e.getCode() != HttpURLConnection.HTTP_NOT_FOUND && e.getCode() != HttpURLConnection.HTTP_CONFLICT) {
                throw e;
            }
        }
        pass.cache().deleted.put(pod.uid(), pass.now());
    }

    /** Whether a pod was deleted or stopped so recently that the cache of pods need not show it yet. */
    private boolean isRecent(@Nullable Instant at, Pass pass) {
        return at != null && pass.now().isBefore(at.plus(intervals.podRetry()));
    }

    /** Ends the pod with this UID through its deadline: the kubelet ends its containers and keeps their logs. */
    private void stopPod(ObservedPod pod, Pass pass) {
        if (isRecent(pass.cache().stopped.get(pod.uid()), pass)) {
            return;
        }
        try {
            client.pods()
                    .inNamespace(pass.job().getMetadata().getNamespace())
                    .withName(pod.name())
                    .patch(PatchContext.of(PatchType.JSON), """
                            [{"op": "test", "path": "/metadata/uid", "value": "%s"},
                             {"op": "add", "path": "/spec/activeDeadlineSeconds", "value": 1}]""".formatted(pod.uid()));
        } catch (KubernetesClientException e) {
            if (e.getCode() != HttpURLConnection.HTTP_NOT_FOUND && e.getCode() != UNPROCESSABLE) {
                throw e; // 404 and 422: the pod was deleted, or another one has its name
            }
        }
        pass.cache().stopped.put(pod.uid(), pass.now());
    }
}
