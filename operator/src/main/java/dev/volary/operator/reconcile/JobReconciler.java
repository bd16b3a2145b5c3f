// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.reconcile;

import dev.volary.job.resource.IterativeJob;
import dev.volary.job.resource.JobStatus;
import dev.volary.job.resource.Labels;
import dev.volary.job.resource.Ownership;
import dev.volary.job.resource.Phase;
import dev.volary.operator.metrics.OperatorMetrics;
import dev.volary.operator.plan.AnswerCheckpointRequest;
import dev.volary.operator.plan.JobObservation;
import dev.volary.operator.plan.OperatorAction;
import dev.volary.operator.plan.PodHistory;
import dev.volary.operator.plan.ReconcilePlan;
import dev.volary.operator.plan.ReconcilePlanner;
import dev.volary.operator.pod.ObservedPod;
import dev.volary.operator.pod.PodName;
import dev.volary.operator.pod.PodObserver;
import dev.volary.operator.pod.PodRole;
import dev.volary.operator.spawner.SpawnerClients;
import dev.volary.operator.status.ConditionType;
import dev.volary.operator.status.Conditions;
import dev.volary.operator.status.TrackedPods;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reconciles a job: observes it, plans, writes the status, and only then executes actions. Keeps all durable state in the API.
 */
final class JobReconciler implements Reconciler<IterativeJob> {
    /** The value of {@code spec.managedBy} for this operator. */
    static final String NAME = "volary.dev/operator";

    private static final Logger LOG = Logger.getLogger(JobReconciler.class.getName());
    /** How long conflicts may go on before they count as a failure: until the caches have caught up with other writers. */
    private static final Duration CONFLICTS = Duration.ofSeconds(2);

    private static final Duration SOON = Duration.ofMillis(1);
    private static final Duration UNTIL_SYNCED = Duration.ofMillis(200);

    private final Map<String, JobCache> caches = new ConcurrentHashMap<>();
    private final PrunedStore<IterativeJob> jobs = new PrunedStore<>(job -> {}, this::forget);

    private final Clock clock;
    private final Intervals intervals;
    private final StatusThrottle throttle;
    private final PodEventSources eventSources;
    private final SpawnerPoller poller;
    private final ActionExecutor executor;
    private final OperatorMetrics metrics;

    JobReconciler(
            Clock clock,
            Intervals intervals,
            PodEventSources eventSources,
            SpawnerPoller poller,
            ActionExecutor executor,
            OperatorMetrics metrics) {
        this.clock = clock;
        this.intervals = intervals;
        this.throttle = intervals.throttle();
        this.eventSources = eventSources;
        this.poller = poller;
        this.executor = executor;
        this.metrics = metrics;
    }

    @Override
    public List<EventSource<?, IterativeJob>> prepareEventSources(EventSourceContext<IterativeJob> context) {
        List<EventSource<?, IterativeJob>> sources = new ArrayList<>(eventSources.prepare(context));
        sources.add(poller);
        return sources;
    }

    @Override
    public UpdateControl<IterativeJob> reconcile(IterativeJob job, Context<IterativeJob> context) throws IOException {
        String manager = job.getSpec().managedBy();
        boolean isDeleted = job.getMetadata().getDeletionTimestamp() != null || !isThere(job);
        if (isDeleted || (manager != null && !manager.equals(NAME))) {
            return UpdateControl.noUpdate();
        }
        if (!eventSources.haveSynced()) {
            return reschedule(Optional.of(UNTIL_SYNCED)); // pods that are not in the cache yet would count as lost
        }
        metrics.reconciled();
        JobCache cache = caches.computeIfAbsent(job.getMetadata().getUid(), uid -> newCache(job));
        try {
            return reschedule(pass(job, cache, context));
        } catch (IOException | RuntimeException | Error e) {
            if (isConflict(e) && !cache.conflictsLast(CONFLICTS, clock.instant())) {
                return reschedule(
                        Optional.of(Duration.ofMillis(100))); // the job was changed meanwhile: reconcile again
            }
            metrics.failed();
            showFailure(job, cache, e, context);
            if (e instanceof Error) {
                // the framework retries after an exception, but not after an error
                throw new IllegalStateException("the reconciliation failed with " + e, e);
            }
            throw e;
        } finally {
            if (!isThere(job)) {
                forget(job); // it was deleted meanwhile, and this reconciliation has added it to the caches again
            }
        }
    }

    private boolean isThere(IterativeJob job) {
        IterativeJob known = jobs.get(jobs.getKey(job));
        return known != null
                && known.getMetadata().getUid().equals(job.getMetadata().getUid());
    }

    /** The cache of jobs. */
    PrunedStore<IterativeJob> jobs() {
        return jobs;
    }

    /** Forgets a deleted job. */
    private void forget(IterativeJob job) {
        String uid = job.getMetadata().getUid();
        caches.remove(uid);
        poller.forget(uid);
        executor.forget(uid);
        metrics.forget(job.getMetadata().getNamespace(), job.getMetadata().getName());
    }

    private static boolean isConflict(Throwable e) {
        return e instanceof KubernetesClientException answer && answer.getCode() == HttpURLConnection.HTTP_CONFLICT;
    }

    /**
     * Writes into the status why a reconciliation failed, unless it is shown already. If that fails, the next reconciliation
     * writes it.
     */
    private void showFailure(IterativeJob job, JobCache cache, Throwable failure, Context<IterativeJob> context) {
        cache.passFailed(FailedAttempts.pass(failure));
        try {
            Instant now = clock.instant();
            IterativeJob newest = Objects.requireNonNullElse(cache.newest, job);
            JobObservation observation = observe(newest, List.of(), PodHistory.NONE, cache, now);
            ReconcilePlan plan = ReconcilePlanner.planAfterFailure(observation);
            if (plan.status().equals(observation.status())
                    || !throttle.wait(observation.status(), plan.status(), cache.patched, now)
                            .isZero()) {
                return;
            }
            IterativeJob written = write(newest, plan.status(), context);
            cache.newest = written;
            cache.patched = now;
            executor.publishEvents(written, plan.actions(), now);
        } catch (RuntimeException e) {
            failure.addSuppressed(e);
            LOG.log(
                    Level.WARNING,
                    e,
                    () -> "the status of " + job.getMetadata().getNamespace() + "/"
                            + job.getMetadata().getName() + " cannot be updated with a failed reconciliation");
        }
    }

    private static Set<PodName> tracked(@Nullable JobStatus status) {
        return TrackedPods.parse(status == null ? null : status.roster())
                .restartsByPod()
                .keySet();
    }

    private Optional<Duration> pass(IterativeJob job, JobCache cache, Context<IterativeJob> context)
            throws IOException {
        Instant now = clock.instant();
        cache.reconciledAt(now);
        cache.newest = job;
        // found by the name of their owner
        List<ObservedPod> pods = pods(job, context.getSecondaryResourcesAsStream(Pod.class), cache, now);
        cache.check(job, name -> claim(job, name, context));
        JobObservation observation = observe(job, pods, cache.history(tracked(job.getStatus()), pods), cache, now);
        ReconcilePlan plan = ReconcilePlanner.plan(observation);
        JobStatus before = observation.status();
        if (plan.phase().isFinal() && !observation.phase().isFinal() && before.roster() != null) {
            // no loss is counted after this status; a watch that was cut may not have shown all of them yet
            pods = pods(job, listed(job, context), cache, now);
            observation = observe(job, pods, cache.history(tracked(before), pods), cache, now);
            plan = ReconcilePlanner.plan(observation);
        }
        List<SpawnerClients.At> spawners = spawners(pods);
        Set<PodName> counted = new HashSet<>(tracked(before));
        counted.removeAll(tracked(plan.status()));
        cache.counted(counted);
        List<OperatorAction> actions = new ArrayList<>(unexecuted(before, cache));
        actions.addAll(plan.actions());
        boolean isStatusNew = !plan.status().equals(before);
        Optional<Duration> next = sooner(plan.requeueAfter(), cache.nextSilence(pods, now));
        IterativeJob written = job;
        if (isStatusNew) {
            Duration wait = throttle.wait(before, plan.status(), cache.patched, now);
            if (wait.isZero()) {
                cache.failedWrite = new JobCache.FailedWrite(plan.status(), actions);
                written = write(job, plan.status(), context);
                cache.failedWrite = null;
                cache.newest = written;
                cache.patched = now;
                next = job.getStatus() == null || plan.status().phase() != before.phase() ? Optional.of(SOON) : next;
            } else {
                next = sooner(next, Optional.of(wait));
                if (!StatusThrottle.isProgress(before, plan.status())) {
                    return next; // execute nothing before the status explains why
                }
            }
        }
        cache.failedWrite = null;
        try {
            executor.execute(
                    actions,
                    new ActionExecutor.Pass(
                            written, isStatusNew, cache, pods, spawners, now, context, eventSources.pods()));
        } finally {
            poll(written, cache, spawners);
        }
        cache.passSucceeded();
        Phase phase = plan.status().phase();
        if (phase != null) {
            metrics.inPhase(job.getMetadata().getNamespace(), job.getMetadata().getName(), phase);
        }
        return sooner(next, unfinished(observation, plan, cache, now));
    }

    /**
     * The actions of an earlier plan that follow from its changes of the status, if that status was written although the answer
     * was lost. All other actions are part of each plan for as long as they are needed.
     */
    private static List<OperatorAction> unexecuted(JobStatus now, JobCache cache) {
        JobCache.FailedWrite earlier = cache.failedWrite;
        if (earlier == null || !earlier.status().equals(now)) {
            return List.of();
        }
        return earlier.actions().stream()
                .filter(action -> action instanceof OperatorAction.PublishEvent
                        || action instanceof OperatorAction.CountLosses
                        || action instanceof OperatorAction.SendHint)
                .toList();
    }

    /** When to reconcile again because an action has had no effect yet, or its outcome is not in the status yet. */
    private Optional<Duration> unfinished(JobObservation observation, ReconcilePlan plan, JobCache cache, Instant now) {
        boolean isShown = cache.rejection().equals(observation.rejection())
                && cache.failure().equals(observation.failure())
                && (observation.hasReconciled() || !cache.hasReconciled() || !isFailing(plan));
        if (!isShown || cache.hasUsedNames) {
            cache.hasUsedNames = false;
            return Optional.of(SOON);
        }
        Optional<Duration> check = plan.actions().stream()
                .filter(action ->
                        action instanceof OperatorAction.DeletePod || action instanceof OperatorAction.StopPod)
                .findAny()
                .map(action -> intervals.podRetry().plusMillis(1));
        return sooner(
                check,
                cache.rejection()
                        .map(rejection -> cache.taken.isPresent() ? cache.retryNames : cache.retryPods)
                        .map(retry -> Duration.between(now, retry).plusMillis(1))
                        .filter(Duration::isPositive));
    }

    private static boolean isFailing(ReconcilePlan plan) {
        return Conditions.find(plan.status().conditions(), ConditionType.Reconciled)
                .filter(c -> c.getStatus().equals("False"))
                .isPresent();
    }

    private static Optional<Duration> sooner(Optional<Duration> one, Optional<Duration> other) {
        return Stream.of(one, other).flatMap(Optional::stream).min(Comparator.naturalOrder());
    }

    /** What a new process knows of a job: it uses no serial that may be in use, and which pods may have ended meanwhile. */
    private static JobCache newCache(IterativeJob job) {
        JobStatus status = job.getStatus();
        JobStatus.Serials serials = status == null ? null : status.serials();
        if (status == null || serials == null) {
            return new JobCache(0, 0);
        }
        JobCache cache = new JobCache(serials.daemons() + 1, serials.spawners() + 1);
        cache.identities.addAll(
                TrackedPods.parse(status.roster()).restartsByPod().keySet());
        return cache;
    }

    /** A claim of the job's namespace; none if there is none, or an older chart does not let the operator read it. */
    private static Optional<PersistentVolumeClaim> claim(IterativeJob job, String name, Context<IterativeJob> context) {
        try {
            return Optional.ofNullable(context.getClient()
                    .persistentVolumeClaims()
                    .inNamespace(job.getMetadata().getNamespace())
                    .withName(name)
                    .get());
        } catch (KubernetesClientException e) {
            if (e.getCode() == HttpURLConnection.HTTP_FORBIDDEN) {
                return Optional.empty();
            }
            throw e;
        }
    }

    private JobObservation observe(
            IterativeJob job, List<ObservedPod> pods, PodHistory history, JobCache cache, Instant now) {
        String request = AnswerCheckpointRequest.requestOf(job).orElse("");
        return new JobObservation(
                job,
                cache.errors(),
                cache.warnings(),
                pods,
                history,
                cache.unused(),
                cache.report(),
                cache.rejection(),
                cache.failure(),
                cache.hasReconciled(),
                Optional.ofNullable(cache.checkpoints.get(request)),
                now);
    }

    /** The pods of a job as the API server has them now. */
    private static Stream<Pod> listed(IterativeJob job, Context<IterativeJob> context) {
        return context
                .getClient()
                .pods()
                .inNamespace(job.getMetadata().getNamespace())
                .withLabel(Labels.JOB, job.getMetadata().getName())
                .list()
                .getItems()
                .stream();
    }

    private List<ObservedPod> pods(IterativeJob job, Stream<Pod> candidates, JobCache cache, Instant now) {
        return candidates
                .filter(pod -> Ownership.isBy(job, pod))
                .flatMap(pod -> PodObserver.read(
                        job.getMetadata().getName(), pod, eventSources::node, name -> cache.mayBeAlive(name, now))
                        .stream())
                .sorted(Comparator.comparing(ObservedPod::pod))
                .toList();
    }

    private static List<SpawnerClients.At> spawners(List<ObservedPod> pods) {
        return pods.stream()
                .filter(p -> p.pod().role() == PodRole.SPAWNER
                        && p.lifecycle() == ObservedPod.Lifecycle.RUNNING
                        && !p.address().isEmpty())
                .map(p -> new SpawnerClients.At(p.name(), p.address()))
                .toList();
    }

    private void poll(IterativeJob job, JobCache cache, List<SpawnerClients.At> spawners) {
        JobStatus status = job.getStatus();
        boolean isPolled = status != null
                && status.phase() != null
                && switch (status.phase()) {
                    case Forming, Running, Suspending -> true;
                    case Succeeded -> !Boolean.TRUE.equals(status.resultFetched()) && status.resultLocation() == null;
                    case Pending, Suspended, Failed -> false;
                };
        poller.schedule(job, cache, isPolled ? spawners : List.of());
    }

    private IterativeJob write(IterativeJob job, JobStatus status, Context<IterativeJob> context) {
        IterativeJob next = new IterativeJob();
        next.setMetadata(new ObjectMetaBuilder()
                .withName(job.getMetadata().getName())
                .withNamespace(job.getMetadata().getNamespace())
                .withResourceVersion(job.getMetadata().getResourceVersion())
                .withUid(job.getMetadata().getUid())
                .build());
        next.setStatus(status);
        IterativeJob written = context.resourceOperations().serverSideApplyPrimaryStatus(next);
        metrics.patched(!Objects.equals(
                written.getMetadata().getResourceVersion(), job.getMetadata().getResourceVersion()));
        return written.getStatus() == null ? job : written;
    }

    private static UpdateControl<IterativeJob> reschedule(Optional<Duration> in) {
        UpdateControl<IterativeJob> control = UpdateControl.noUpdate();
        in.ifPresent(wait -> control.rescheduleAfter(wait.isZero() ? SOON : wait));
        return control;
    }
}
