package dev.volary.operator.reconcile;

import dev.volary.crd.api.IterativeJob;
import dev.volary.crd.api.objects.Names;
import dev.volary.mesh.arbiter.LeaseArbiter;
import dev.volary.operator.job.Happening;
import dev.volary.operator.metrics.OperatorMetrics;
import dev.volary.operator.objects.JobObjects;
import dev.volary.operator.objects.Setting;
import dev.volary.operator.objects.WorkerPod;
import dev.volary.operator.pod.PodFacts;
import dev.volary.operator.pod.PodName;
import dev.volary.operator.pod.Role;
import dev.volary.operator.spawner.Spawners;
import dev.volary.operator.step.Action;
import dev.volary.operator.step.Refusal;
import io.fabric8.kubernetes.api.model.ConfigMap;
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

/** Does what was decided. */
final class Acts {
    private static final Logger LOG = Logger.getLogger(Acts.class.getName());
    private static final Duration CHECK_OBJECTS = Duration.ofMinutes(10);
    private static final Duration RETRY_PODS = Duration.ofSeconds(10);
    private static final int UNPROCESSABLE = 422;

    private final KubernetesClient client;
    private final Setting setting;
    private final Authorities authorities;
    private final Polls polls;
    private final Teller teller;
    private final OperatorMetrics metrics;

    Acts(
            KubernetesClient client,
            Setting setting,
            Authorities authorities,
            Polls polls,
            Teller teller,
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
            JobMemory memory,
            List<PodFacts> pods,
            List<Spawners.At> spawners,
            Instant now,
            Context<IterativeJob> context,
            InformerEventSource<Pod, IterativeJob> podCache) {}

    /** Forgets the keys of a job that is no more. */
    void forget(String uid) {
        authorities.forget(uid);
    }

    void perform(List<Action> actions, Round round) throws IOException {
        for (Action action : actions) {
            switch (action) {
                case Action.EnsureObjects ignored -> ensureObjects(round);
                case Action.CreatePods create -> createPods(create.pods(), round);
                case Action.DeletePod delete -> deletePod(delete.pod(), round);
                case Action.PassHint hint -> {
                    if (round.memory().hinted.add(hint.pod() + " " + hint.hint())) {
                        polls.hint(round.job(), round.spawners(), hint.pod(), hint.hint());
                    }
                }
                case Action.WithdrawLead ignored -> withdrawLead(round.job());
                case Action.TakeCheckpoint take -> {
                    if (round.memory().requested.add(take.request())) {
                        polls.checkpoint(round.job(), round.memory(), round.spawners(), take.request());
                    }
                }
                case Action.Tell tell -> teller.tell(round.job(), tell.happening(), tell.note(), round.now());
                case Action.CountLosses losses ->
                    metrics.lost(
                            round.job().getMetadata().getNamespace(),
                            round.job().getMetadata().getName(),
                            losses.cause(),
                            losses.workers());
                case Action.DeleteJob ignored -> client.resource(round.job()).delete();
            }
        }
    }

    /** Terms only grow: those of a worker that nobody can reach, and that lives, stay behind. */
    private void withdrawLead(IterativeJob job) {
        var lease = client.leases()
                .inNamespace(job.getMetadata().getNamespace())
                .withName(Names.lease(job.getMetadata().getName()));
        Lease there = lease.get();
        if (there == null || there.getSpec().getHolderIdentity() == null) {
            return;
        }
        there.getSpec().setHolderIdentity(null);
        if (there.getMetadata().getAnnotations() != null) {
            there.getMetadata().getAnnotations().remove(LeaseArbiter.MEMBERS);
        }
        client.resource(there).update();
    }

    /** Creates what is missing; from time to time also looks whether all of it is still there. */
    private void ensureObjects(Round round) {
        IterativeJob job = round.job();
        JobMemory memory = round.memory();
        String made = job.getMetadata().getGeneration() + " " + job.getStatus().blocks();
        if (memory.ensured.equals(made) && round.now().isBefore(memory.ensuredUntil)) {
            return;
        }
        for (HasMetadata object : JobObjects.of(job, setting)) {
            HasMetadata there = client.resource(object).get();
            if (there == null) {
                create(object);
            } else if (object instanceof ConfigMap wanted
                    && there instanceof ConfigMap found
                    && !Objects.equals(wanted.getData(), found.getData())) {
                client.resource(object).update();
            }
        }
        memory.ensured = made;
        memory.ensuredUntil = round.now().plus(CHECK_OBJECTS);
    }

    private void create(HasMetadata object) {
        try {
            client.resource(object).create();
        } catch (KubernetesClientException e) {
            if (e.getCode() != HttpURLConnection.HTTP_CONFLICT) {
                throw e;
            }
        }
    }

    private void createPods(List<Action.NewPod> wanted, Round round) throws IOException {
        JobMemory memory = round.memory();
        if (round.now().isBefore(memory.retryPods)) {
            return;
        }
        IterativeJob job = round.job();
        authorities.issue(job, memory, withSpares(wanted, job), living(round));
        for (Action.NewPod pod : wanted) {
            try {
                round.context()
                        .resourceOperations()
                        .create(WorkerPod.of(job, pod.pod(), pod.group(), setting), round.podCache());
                memory.refusal = Optional.empty();
            } catch (KubernetesClientException e) {
                if (isRefusal(e)) {
                    refused(Refusal.of(text(e)), round);
                    return;
                }
                if (e.getCode() != HttpURLConnection.HTTP_CONFLICT) {
                    throw e;
                }
                // The name is used up, by another operator or another job: the next serial is tried.
            }
            used(memory, pod.pod());
        }
    }

    /** The condition says what is in the way as long as it is; the event says it once. */
    private void refused(Refusal refusal, Round round) {
        JobMemory memory = round.memory();
        if (!memory.refusal.equals(Optional.of(refusal))) {
            teller.tell(round.job(), Happening.PodRefused, refusal.message(), round.now());
        }
        memory.refusal = Optional.of(refusal);
        memory.retryPods = round.now().plus(RETRY_PODS);
        LOG.warning(() -> round.job().getMetadata().getName() + ": pod refused: " + refusal.message());
    }

    /** All serials that are reserved get their identities in the same write, so that a replacement needs one request. */
    private static List<PodName> withSpares(List<Action.NewPod> wanted, IterativeJob job) {
        List<PodName> names = new ArrayList<>();
        var serials = job.getStatus().serials();
        for (Action.NewPod pod : wanted) {
            names.add(pod.pod());
        }
        for (Role role : Role.values()) {
            long last = wanted.stream()
                    .map(Action.NewPod::pod)
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

    private static void used(JobMemory memory, PodName pod) {
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

    private static String text(KubernetesClientException e) {
        return e.getStatus() != null && e.getStatus().getMessage() != null
                ? e.getStatus().getMessage()
                : String.valueOf(e.getMessage());
    }

    private void deletePod(PodFacts pod, Round round) {
        if (round.memory().deleted.add(pod.uid())) {
            client.pods()
                    .inNamespace(round.job().getMetadata().getNamespace())
                    .withName(pod.name())
                    .delete();
        }
    }
}
