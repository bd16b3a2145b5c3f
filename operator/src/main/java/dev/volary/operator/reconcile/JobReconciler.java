// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.reconcile;

import dev.volary.job.resource.IterativeJob;
import dev.volary.job.resource.JobStatus;
import dev.volary.job.resource.Ownership;
import dev.volary.job.resource.Phase;
import dev.volary.operator.job.ConditionType;
import dev.volary.operator.job.Conditions;
import dev.volary.operator.metrics.OperatorMetrics;
import dev.volary.operator.pod.ObservedPod;
import dev.volary.operator.pod.PodObserver;
import dev.volary.operator.pod.Role;
import dev.volary.operator.spawner.SpawnerClients;
import dev.volary.operator.step.JobObservation;
import dev.volary.operator.step.ReconcilePlan;
import dev.volary.operator.step.ReconcilePlanner;
import dev.volary.operator.step.Requests;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
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
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;

/** Sees a job, decides, writes the status and only then acts. All it needs to begin again is in the API. */
final class JobReconciler implements Reconciler<IterativeJob> {
    /** The name in {@code spec.managedBy} that means this operator. */
    static final String NAME = "volary.dev/operator";

    private static final Logger LOG = Logger.getLogger(JobReconciler.class.getName());
    /** So many conflicts in a row are no accident. */
    private static final int CONFLICTS = 20;

    private static final Duration SOON = Duration.ofMillis(1);

    private final Map<String, JobCache> memories = new ConcurrentHashMap<>();
    private final PrunedStore<IterativeJob> jobs = new PrunedStore<>(job -> {}, this::forget);

    private final Clock clock;
    private final StatusThrottle pace;
    private final PodEventSources watches;
    private final SpawnerPoller polls;
    private final ActionExecutor acts;
    private final OperatorMetrics metrics;

    JobReconciler(
            Clock clock,
            StatusThrottle pace,
            PodEventSources watches,
            SpawnerPoller polls,
            ActionExecutor acts,
            OperatorMetrics metrics) {
        this.clock = clock;
        this.pace = pace;
        this.watches = watches;
        this.polls = polls;
        this.acts = acts;
        this.metrics = metrics;
    }

    @Override
    public List<EventSource<?, IterativeJob>> prepareEventSources(EventSourceContext<IterativeJob> context) {
        List<EventSource<?, IterativeJob>> sources = new ArrayList<>(watches.prepare(context));
        sources.add(polls);
        return sources;
    }

    @Override
    public UpdateControl<IterativeJob> reconcile(IterativeJob job, Context<IterativeJob> context) throws IOException {
        String manager = job.getSpec().managedBy();
        boolean isGone = job.getMetadata().getDeletionTimestamp() != null || !isThere(job);
        if (isGone || (manager != null && !manager.equals(NAME))) {
            return UpdateControl.noUpdate();
        }
        metrics.reconciled();
        JobCache memory = memories.computeIfAbsent(job.getMetadata().getUid(), uid -> remember(job));
        try {
            return again(pass(job, memory, context));
        } catch (IOException | RuntimeException | Error e) {
            if (isConflict(e) && ++memory.conflicts <= CONFLICTS) {
                return again(Optional.of(Duration.ofMillis(100))); // the job was changed meanwhile: look again
            }
            metrics.failed();
            show(job, memory, e, context);
            if (e instanceof Error) {
                // The framework attempts a pass again that ended in an exception; after an error it never looks again.
                throw new IllegalStateException("the pass ended in " + e, e);
            }
            throw e;
        } finally {
            if (!isThere(job)) {
                forget(job); // it was deleted meanwhile, and the pass has remembered it again
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

    /** A job is no more. */
    private void forget(IterativeJob job) {
        String uid = job.getMetadata().getUid();
        memories.remove(uid);
        polls.forget(uid);
        acts.forget(uid);
        metrics.forget(job.getMetadata().getNamespace(), job.getMetadata().getName());
    }

    private static boolean isConflict(Throwable e) {
        return e instanceof KubernetesClientException answer && answer.getCode() == HttpURLConnection.HTTP_CONFLICT;
    }

    /** Writes into the status why a pass failed, unless it says so already. If that fails too, the next pass writes it. */
    private void show(IterativeJob job, JobCache memory, Throwable failure, Context<IterativeJob> context) {
        memory.passFailed(FailedAttempts.pass(failure));
        try {
            Instant now = clock.instant();
            IterativeJob newest = Objects.requireNonNullElse(memory.newest, job);
            JobObservation seen = see(newest, List.of(), memory, now);
            ReconcilePlan draft = ReconcilePlanner.onFailure(seen);
            if (draft.status().equals(seen.status())
                    || !pace.wait(seen.status(), draft.status(), memory.patched, now)
                            .isZero()) {
                return;
            }
            IterativeJob written = write(newest, draft.status(), context);
            memory.newest = written;
            memory.patched = now;
            acts.tell(written, draft.actions(), now);
        } catch (RuntimeException e) {
            failure.addSuppressed(e);
            LOG.log(
                    Level.WARNING,
                    e,
                    () -> "the status of " + job.getMetadata().getNamespace() + "/"
                            + job.getMetadata().getName() + " cannot say that a pass failed");
        }
    }

    private Optional<Duration> pass(IterativeJob job, JobCache memory, Context<IterativeJob> context)
            throws IOException {
        Instant now = clock.instant();
        memory.newest = job;
        List<ObservedPod> pods = pods(job, memory, now, context);
        List<SpawnerClients.At> spawners = spawners(pods);
        JobObservation seen = see(job, pods, memory, now);
        ReconcilePlan draft = ReconcilePlanner.on(seen);
        JobStatus before = seen.status();
        Optional<Duration> again = sooner(draft.again(), memory.nextSilence(pods, now));
        IterativeJob written = job;
        if (!draft.status().equals(before)) {
            Duration wait = pace.wait(before, draft.status(), memory.patched, now);
            if (wait.isZero()) {
                written = write(job, draft.status(), context);
                memory.newest = written;
                memory.patched = now;
                again = job.getStatus() == null || draft.status().phase() != before.phase() ? Optional.of(SOON) : again;
            } else {
                again = sooner(again, Optional.of(wait));
                if (!StatusThrottle.isProgress(before, draft.status())) {
                    return again; // nothing is done before it is written why
                }
            }
        }
        try {
            acts.perform(
                    draft.actions(),
                    new ActionExecutor.Round(written, memory, pods, spawners, now, context, watches.pods()));
        } finally {
            watch(written, memory, spawners);
        }
        memory.passWorked();
        Phase phase = draft.status().phase();
        if (phase != null) {
            metrics.inPhase(job.getMetadata().getNamespace(), job.getMetadata().getName(), phase);
        }
        return sooner(again, unfinished(seen, draft, memory, now));
    }

    /** When to look again because what was done has not had its effect, or is not in the status yet. */
    private static Optional<Duration> unfinished(
            JobObservation seen, ReconcilePlan draft, JobCache memory, Instant now) {
        boolean isShown = memory.refusal().equals(seen.refusal())
                && memory.failure().equals(seen.failure())
                && (seen.works() || !memory.works() || !isFailing(draft));
        if (!isShown || memory.namesUsedUp) {
            memory.namesUsedUp = false;
            return Optional.of(SOON);
        }
        return memory.refusal()
                .map(refusal -> memory.taken.isPresent() ? memory.retryNames : memory.retryPods)
                .map(retry -> Duration.between(now, retry).plusMillis(1))
                .filter(Duration::isPositive);
    }

    private static boolean isFailing(ReconcilePlan draft) {
        return Conditions.find(draft.status().conditions(), ConditionType.Reconciled)
                .filter(c -> c.getStatus().equals("False"))
                .isPresent();
    }

    private static Optional<Duration> sooner(Optional<Duration> one, Optional<Duration> other) {
        return Stream.of(one, other).flatMap(Optional::stream).min(Comparator.naturalOrder());
    }

    private static JobCache remember(IterativeJob job) {
        JobStatus.Serials serials =
                job.getStatus() == null ? null : job.getStatus().serials();
        return serials == null ? new JobCache(0, 0) : new JobCache(serials.daemons() + 1, serials.spawners() + 1);
    }

    private JobObservation see(IterativeJob job, List<ObservedPod> pods, JobCache memory, Instant now) {
        String request = Requests.of(job).orElse("");
        return new JobObservation(
                job,
                memory.faults(job),
                pods,
                memory.unused(),
                memory.report(),
                memory.refusal(),
                memory.failure(),
                memory.works(),
                Optional.ofNullable(memory.checkpoints.get(request)),
                now);
    }

    private List<ObservedPod> pods(IterativeJob job, JobCache memory, Instant now, Context<IterativeJob> context) {
        return context.getSecondaryResourcesAsStream(Pod.class) // by the name of their owner
                .filter(pod -> Ownership.isBy(job, pod))
                .flatMap(
                        pod -> PodObserver.read(
                                job.getMetadata().getName(), pod, watches::node, name -> memory.hears(name, now))
                                .stream())
                .sorted(Comparator.comparing(ObservedPod::pod))
                .toList();
    }

    private static List<SpawnerClients.At> spawners(List<ObservedPod> pods) {
        return pods.stream()
                .filter(p -> p.pod().role() == Role.SPAWNER
                        && p.lifecycle() == ObservedPod.Lifecycle.RUNNING
                        && !p.address().isEmpty())
                .map(p -> new SpawnerClients.At(p.name(), p.address()))
                .toList();
    }

    private void watch(IterativeJob job, JobCache memory, List<SpawnerClients.At> spawners) {
        JobStatus status = job.getStatus();
        boolean asked = status != null
                && status.phase() != null
                && switch (status.phase()) {
                    case Forming, Running, Suspending -> true;
                    case Succeeded -> !Boolean.TRUE.equals(status.resultFetched());
                    case Pending, Suspended, Failed -> false;
                };
        polls.watch(job, memory, asked ? spawners : List.of());
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

    private static UpdateControl<IterativeJob> again(Optional<Duration> in) {
        UpdateControl<IterativeJob> control = UpdateControl.noUpdate();
        in.ifPresent(wait -> control.rescheduleAfter(wait.isZero() ? SOON : wait));
        return control;
    }
}
