// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.reconcile;

import dev.volary.job.resource.IterativeJob;
import dev.volary.job.resource.Names;
import dev.volary.job.resource.Ownership;
import dev.volary.mesh.arbiter.LeaseArbiter;
import dev.volary.operator.job.ConditionReason;
import dev.volary.operator.job.EventReason;
import dev.volary.operator.metrics.OperatorMetrics;
import dev.volary.operator.objects.JobResources;
import dev.volary.operator.objects.WorkerImageConfig;
import dev.volary.operator.objects.WorkerPod;
import dev.volary.operator.pod.ObservedPod;
import dev.volary.operator.pod.PodName;
import dev.volary.operator.pod.Role;
import dev.volary.operator.spawner.SpawnerClients;
import dev.volary.operator.step.OperatorAction;
import dev.volary.operator.step.PodRejection;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.DeleteOptionsBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.processing.event.source.informer.InformerEventSource;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Does what was decided. */
final class ActionExecutor {
    private static final Logger LOG = Logger.getLogger(ActionExecutor.class.getName());
    private static final Duration CHECK_OBJECTS = Duration.ofMinutes(10);
    private static final Duration RETRY_PODS = Duration.ofSeconds(10);
    private static final int UNPROCESSABLE = 422;

    private final KubernetesClient client;
    private final WorkerImageConfig setting;
    private final JobCertificates authorities;
    private final SpawnerPoller polls;
    private final EventPublisher teller;
    private final OperatorMetrics metrics;

    ActionExecutor(
            KubernetesClient client,
            WorkerImageConfig setting,
            JobCertificates authorities,
            SpawnerPoller polls,
            EventPublisher teller,
            OperatorMetrics metrics) {
        this.client = client;
        this.setting = setting;
        this.authorities = authorities;
        this.polls = polls;
        this.teller = teller;
        this.metrics = metrics;
    }

    /** One pass over a job. */
    record Round(
            IterativeJob job,
            JobCache memory,
            List<ObservedPod> pods,
            List<SpawnerClients.At> spawners,
            Instant now,
            Context<IterativeJob> context,
            InformerEventSource<Pod, IterativeJob> podCache) {}

    /** Forgets the keys of a job that is no more. */
    void forget(String uid) {
        authorities.forget(uid);
    }

    /**
     * Does all of it. One that fails does not keep the others from being done; but pods are created only where the objects that
     * they refer to are the job's own.
     *
     * @throws IOException if at least one failed, as unchecked exceptions: the first one, with the others added
     */
    void perform(List<OperatorAction> actions, Round round) throws IOException {
        if (actions.stream().noneMatch(OperatorAction.CreatePods.class::isInstance)) {
            round.memory().refusal = Optional.empty(); // no pod is missing any more
        }
        @Nullable Exception first = null;
        TakenNames taken = new TakenNames(round.job());
        boolean triesNames = !round.now().isBefore(round.memory().retryNames);
        boolean complete = triesNames;
        for (OperatorAction action : actions) {
            try {
                switch (action) {
                    case OperatorAction.EnsureObjects ignored -> {
                        if (triesNames) {
                            complete = false;
                            ensureObjects(round, taken);
                            complete = true;
                        }
                    }
                    case OperatorAction.CreatePods create -> {
                        if (complete) {
                            createPods(create.pods(), round, taken);
                        }
                    }
                    case OperatorAction.DeletePod delete -> deletePod(delete.pod(), round);
                    case OperatorAction.PassHint hint -> {
                        if (round.memory().hinted.add(hint.pod() + " " + hint.hint())) {
                            polls.hint(round.job(), round.spawners(), hint.pod(), hint.hint());
                        }
                    }
                    case OperatorAction.WithdrawLead ignored -> withdrawLead(round.job());
                    case OperatorAction.TakeCheckpoint take -> {
                        if (round.memory().requested.add(take.request())) {
                            polls.checkpoint(round.job(), round.memory(), round.spawners(), take.request());
                        }
                    }
                    case OperatorAction.Tell tell ->
                        teller.tell(round.job(), tell.happening(), tell.note(), round.now());
                    case OperatorAction.CountLosses losses ->
                        metrics.lost(
                                round.job().getMetadata().getNamespace(),
                                round.job().getMetadata().getName(),
                                losses.cause(),
                                losses.workers());
                    case OperatorAction.DeleteJob ignored -> deleteJob(round.job());
                }
            } catch (IOException | RuntimeException e) {
                if (first == null) {
                    first = e;
                } else if (!first.equals(e)) {
                    first.addSuppressed(e);
                }
            }
        }
        if (triesNames) {
            remember(taken, complete, round);
        }
        switch (first) {
            case null -> {}
            case IOException e -> throw e;
            case RuntimeException e -> throw e;
            default -> throw new IllegalStateException(first);
        }
    }

    /** Only tells what is to be told. */
    void tell(IterativeJob job, List<OperatorAction> actions, Instant now) {
        for (OperatorAction action : actions) {
            if (action instanceof OperatorAction.Tell tell) {
                teller.tell(job, tell.happening(), tell.note(), now);
            }
        }
    }

    /** The condition says which names are taken as long as they are; the event says it once. */
    private void remember(TakenNames taken, boolean complete, Round round) {
        JobCache memory = round.memory();
        if (taken.isEmpty()) {
            if (complete) {
                memory.namesAreOurs();
            }
            return;
        }
        PodRejection refusal = taken.refusal();
        if (!memory.taken.equals(Optional.of(refusal))) {
            LOG.warning(() -> round.job().getMetadata().getName() + ": name taken: " + refusal.message());
        }
        if (memory.taken.isEmpty() && !isSaid(round.job(), ConditionReason.NameTaken)) {
            teller.tell(round.job(), EventReason.NameTaken, refusal.message(), round.now());
        }
        memory.namesAreTaken(refusal, round.now());
    }

    private static boolean isSaid(IterativeJob job, ConditionReason reason) {
        return job.getStatus() != null
                && job.getStatus().conditions().stream()
                        .anyMatch(c -> reason.name().equals(c.getReason()));
    }

    /** Not one that was created under its name meanwhile. */
    private void deleteJob(IterativeJob job) {
        client.resource(job)
                .lockResourceVersion(job.getMetadata().getResourceVersion())
                .delete();
    }

    /** Terms only grow: those of a worker that nobody can reach, and that lives, stay behind. */
    private void withdrawLead(IterativeJob job) {
        var lease = client.leases()
                .inNamespace(job.getMetadata().getNamespace())
                .withName(Names.lease(job.getMetadata().getName()));
        Lease there = lease.get();
        if (there == null || !Ownership.isBy(job, there) || there.getSpec().getHolderIdentity() == null) {
            return;
        }
        there.getSpec().setHolderIdentity(null);
        if (there.getMetadata().getAnnotations() != null) {
            there.getMetadata().getAnnotations().remove(LeaseArbiter.MEMBERS);
        }
        client.resource(there).update();
    }

    /** Creates what is missing; from time to time also looks whether all of it is still there, and still the job's own. */
    private void ensureObjects(Round round, TakenNames taken) {
        IterativeJob job = round.job();
        JobCache memory = round.memory();
        String made = job.getMetadata().getGeneration() + " " + job.getStatus().blocks();
        if (memory.ensured.equals(made) && round.now().isBefore(memory.ensuredUntil)) {
            return;
        }
        for (HasMetadata object : JobResources.of(job, setting)) {
            HasMetadata there = thereOrCreated(object);
            if (taken.isOurs(there)
                    && object instanceof ConfigMap wanted
                    && there instanceof ConfigMap found
                    && !Objects.equals(wanted.getData(), found.getData())) {
                wanted.getMetadata().setResourceVersion(found.getMetadata().getResourceVersion());
                client.resource(wanted).update();
            }
        }
        if (taken.isEmpty()) {
            memory.ensured = made;
            memory.ensuredUntil = round.now().plus(CHECK_OBJECTS);
        }
    }

    private HasMetadata thereOrCreated(HasMetadata object) {
        HasMetadata there = client.resource(object).get();
        if (there != null) {
            return there;
        }
        try {
            return client.resource(object).create();
        } catch (KubernetesClientException e) {
            if (!alreadyExists(e)) {
                throw e;
            }
            HasMetadata other = client.resource(object).get();
            if (other == null) {
                throw e; // it came and went; the pass is attempted again
            }
            return other;
        }
    }

    private static boolean alreadyExists(KubernetesClientException e) {
        return e.getCode() == HttpURLConnection.HTTP_CONFLICT
                && e.getStatus() != null
                && "AlreadyExists".equals(e.getStatus().getReason());
    }

    private void createPods(List<OperatorAction.NewPod> wanted, Round round, TakenNames taken) throws IOException {
        JobCache memory = round.memory();
        if (round.now().isBefore(memory.retryPods)) {
            return;
        }
        IterativeJob job = round.job();
        if (!taken.isEmpty()) {
            taken.addAll(authorities.taken(job)); // all that is in the way is said at once
            return;
        }
        try {
            authorities.issue(job, memory, withSpares(wanted, job), living(round));
        } catch (NameTakenException e) {
            taken.addAll(authorities.taken(job));
            return;
        }
        for (OperatorAction.NewPod pod : wanted) {
            try {
                round.context()
                        .resourceOperations()
                        .create(WorkerPod.of(job, pod.pod(), pod.group(), setting), round.podCache());
                memory.refusal = Optional.empty();
            } catch (KubernetesClientException e) {
                if (isRefusal(e)) {
                    refused(PodRejection.of(FailedAttempts.text(e)), round);
                    return;
                }
                if (!alreadyExists(e)) {
                    throw e;
                }
                // Another operator or another job used the name up. The next pass tries the next serial, each once.
                memory.namesUsedUp = true;
            }
            used(memory, pod.pod());
        }
    }

    /** The condition says what is in the way as long as it is; the event says it once. */
    private void refused(PodRejection refusal, Round round) {
        JobCache memory = round.memory();
        if (!memory.refusal.equals(Optional.of(refusal))) {
            teller.tell(round.job(), EventReason.PodRefused, refusal.message(), round.now());
        }
        memory.refusal = Optional.of(refusal);
        memory.retryPods = round.now().plus(RETRY_PODS);
        LOG.warning(() -> round.job().getMetadata().getName() + ": pod refused: " + refusal.message());
    }

    /** All serials that are reserved get their identities in the same write, so that a replacement needs one request. */
    private static List<PodName> withSpares(List<OperatorAction.NewPod> wanted, IterativeJob job) {
        List<PodName> names = new ArrayList<>();
        var serials = job.getStatus().serials();
        for (OperatorAction.NewPod pod : wanted) {
            names.add(pod.pod());
        }
        for (Role role : Role.values()) {
            long last = wanted.stream()
                    .map(OperatorAction.NewPod::pod)
                    .filter(p -> p.role() == role)
                    .mapToLong(PodName::serial)
                    .max()
                    .orElse(Long.MAX_VALUE - 1);
            long highest = serials == null ? -1 : role == Role.DAEMON ? serials.daemons() : serials.spawners();
            for (long serial = last + 1; serial <= highest; serial++) {
                names.add(new PodName(role, serial));
            }
        }
        return names;
    }

    private static Set<String> living(Round round) {
        Set<String> living = new HashSet<>();
        round.pods().forEach(pod -> living.add(pod.name()));
        return living;
    }

    private static void used(JobCache memory, PodName pod) {
        if (pod.role() == Role.DAEMON) {
            memory.nextDaemon = Math.max(memory.nextDaemon, pod.serial() + 1);
        } else {
            memory.nextSpawner = Math.max(memory.nextSpawner, pod.serial() + 1);
        }
    }

    private static boolean isRefusal(KubernetesClientException e) {
        return e.getCode() == HttpURLConnection.HTTP_FORBIDDEN
                || e.getCode() == UNPROCESSABLE
                || e.getCode() == HttpURLConnection.HTTP_BAD_REQUEST;
    }

    /** The pod with this UID; one that has its name by now belongs to another job. */
    private void deletePod(ObservedPod pod, Round round) {
        if (round.memory().deleted.contains(pod.uid())) {
            return;
        }
        try {
            client.raw(
                    "/api/v1/namespaces/" + round.job().getMetadata().getNamespace() + "/pods/" + pod.name(),
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
        round.memory().deleted.add(pod.uid());
    }
}
