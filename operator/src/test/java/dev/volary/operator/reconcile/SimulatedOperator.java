// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.reconcile;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.volary.job.resource.IterativeJob;
import dev.volary.operator.metrics.OperatorMetrics;
import dev.volary.operator.pod.ObservedNode;
import dev.volary.operator.resources.NetworkPolicies;
import dev.volary.operator.resources.WorkerImageConfig;
import dev.volary.operator.simulated.SimulatedApiServer;
import dev.volary.operator.simulated.SimulatedApiServer.Change;
import dev.volary.operator.simulated.SimulatedApiServer.ChangeKind;
import dev.volary.operator.simulated.SimulatedHttpClient;
import dev.volary.operator.simulated.SimulatedWorkers;
import dev.volary.operator.simulated.VirtualTime;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.javaoperatorsdk.operator.processing.event.source.informer.InformerEventSource;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One operator process: the real reconciler with all its parts, run as the framework runs it. The framework is played: caches that
 * watches fill, at most one reconciliation of a job at a time, timers, and growing intervals between retries.
 */
final class SimulatedOperator {
    private static final double BACKOFF = 1.5;

    /** What a simulation learns of this process. */
    interface Observer {
        /** Answers a request; time passes. */
        SimulatedHttpClient.Transport transport(SimulatedOperator operator);

        /** Everything that is requested from now to {@link #ended} is done for this job. */
        void began(IterativeJob job);

        void ended();

        /** @param failure why the reconciliation failed; null if it did not */
        void reconciled(SimulatedOperator operator, IterativeJob job, @Nullable Exception failure);
    }

    private final VirtualTime time;
    private final Observer observer;
    private final KubernetesClient client;
    private final SimulatedPods pods;
    private final JobReconciler reconciler;
    private final Map<String, Node> nodes = new TreeMap<>();
    private final Map<String, IterativeJob> written = new TreeMap<>();
    private final Map<String, Loop> loops = new TreeMap<>();
    private boolean isAlive = true;

    /** The reconciliations of the job of one name. */
    private static final class Loop {
        private boolean isQueued;
        private boolean isRunning;
        private boolean isEventPresent;
        private int attempts;
        private long timer;
    }

    /** Starts with caches that hold all objects. */
    SimulatedOperator(
            VirtualTime time,
            SimulatedApiServer server,
            SimulatedWorkers workers,
            Random random,
            boolean isTrusting,
            Observer observer) {
        this.time = time;
        this.observer = observer;
        this.client = SimulatedHttpClient.connect(observer.transport(this));
        this.pods = new SimulatedPods(client);
        OperatorMetrics metrics = new OperatorMetrics();
        Intervals intervals = Intervals.STANDARD;
        JobCertificates certificates = new JobCertificates(client, time.clock());
        VirtualExecutor executor = new VirtualExecutor(time, this::isAlive);
        SpawnerPoller poller = new SpawnerPoller(
                new SimulatedSpawnerClients(time, workers, certificates, random, isTrusting, observer),
                time.clock(),
                intervals,
                Duration.ofSeconds(30),
                executor,
                executor);
        poller.setEventHandler(
                event -> trigger(event.getRelatedCustomResourceID().getName()));
        PodEventSources sources = new PodEventSources(true) {
            @Override
            InformerEventSource<Pod, IterativeJob> pods() {
                return pods;
            }

            @Override
            boolean haveSynced() {
                return true;
            }

            @Override
            ObservedNode node(String name) {
                Node node = nodes.get(name);
                return node == null ? ObservedNode.NONE : ObservedNode.of(node);
            }
        };
        this.reconciler = new JobReconciler(
                time.clock(),
                intervals,
                sources,
                poller,
                new ActionExecutor(
                        client,
                        new WorkerImageConfig(
                                "volary-worker:test",
                                "",
                                "",
                                "test",
                                new NetworkPolicies.OperatorPods("lab", Map.of("app", "operator")),
                                List.of()),
                        certificates,
                        poller,
                        new EventPublisher(client, "operator", metrics),
                        metrics,
                        intervals),
                metrics);
        for (String resource : SimulatedWatches.RESOURCES) {
            server.list(resource).forEach(object -> deliver(new Change(ChangeKind.ADDED, resource, object)));
        }
    }

    boolean isAlive() {
        return isAlive;
    }

    /** Ends the process between two of its requests. */
    void kill() {
        isAlive = false;
    }

    /** A watch delivers a change. */
    void deliver(Change change) {
        if (!isAlive) {
            return;
        }
        ObjectNode object = change.object();
        boolean isDeleted = change.kind() == ChangeKind.DELETED;
        switch (change.resource()) {
            case "pods" -> pods.deliver(convert(object, Pod.class), isDeleted).ifPresent(this::trigger);
            case "nodes" -> deliverNode(convert(object, Node.class), isDeleted);
            case "iterativejobs" -> deliverJob(convert(object, IterativeJob.class), isDeleted);
            default -> {} // no watch
        }
    }

    /** A watch that was cut is open again, and begins with a list of all objects. */
    void replace(String resource, List<ObjectNode> listed) {
        if (!isAlive) {
            return;
        }
        switch (resource) {
            case "pods" ->
                pods.replace(listed.stream()
                                .map(each -> convert(each, Pod.class))
                                .toList())
                        .forEach(this::trigger);
            case "nodes" -> {
                Set<String> names = names(listed);
                List.copyOf(nodes.values()).stream()
                        .filter(node -> !names.contains(node.getMetadata().getName()))
                        .forEach(node -> deliverNode(node, true));
                listed.forEach(each -> deliverNode(convert(each, Node.class), false));
            }
            case "iterativejobs" -> {
                Set<String> names = names(listed);
                reconciler
                        .jobs()
                        .values()
                        .filter(job -> !names.contains(job.getMetadata().getName()))
                        .toList()
                        .forEach(job -> deliverJob(job, true));
                listed.forEach(each -> deliverJob(convert(each, IterativeJob.class), false));
            }
            default -> throw new IllegalArgumentException(resource);
        }
    }

    private static Set<String> names(List<ObjectNode> objects) {
        return objects.stream().map(SimulatedApiServer::name).collect(Collectors.toSet());
    }

    private static <T> T convert(ObjectNode object, Class<T> type) {
        return SimulatedHttpClient.SERIALIZATION.convertValue(object, type);
    }

    private void deliverNode(Node node, boolean isDeleted) {
        String name = node.getMetadata().getName();
        Node before = isDeleted ? nodes.remove(name) : nodes.put(name, node);
        if (isDeleted || before == null || !ObservedNode.of(before).equals(ObservedNode.of(node))) {
            pods.jobsOn(name).forEach(this::trigger);
        }
    }

    private void deliverJob(IterativeJob job, boolean isDeleted) {
        String name = job.getMetadata().getName();
        PrunedStore<IterativeJob> jobs = reconciler.jobs();
        if (isDeleted) {
            jobs.remove(jobs.getKey(job));
            written.remove(name);
            return;
        }
        IterativeJob before = jobs.put(jobs.getKey(job), job);
        IterativeJob own = written.get(name);
        if (own != null && version(own) <= version(job)) {
            written.remove(name);
        }
        boolean isNews = before == null
                || !Objects.equals(
                        before.getMetadata().getUid(), job.getMetadata().getUid())
                || !Objects.equals(
                        before.getMetadata().getGeneration(), job.getMetadata().getGeneration())
                || !Objects.equals(
                        before.getMetadata().getAnnotations(), job.getMetadata().getAnnotations());
        if (isNews) {
            trigger(name);
        }
    }

    private static long version(IterativeJob job) {
        return Long.parseLong(job.getMetadata().getResourceVersion());
    }

    private @Nullable IterativeJob newest(String name) {
        IterativeJob own = written.get(name);
        IterativeJob watched = reconciler.jobs().get("lab/" + name);
        return own == null || (watched != null && version(watched) > version(own)) ? watched : own;
    }

    private void trigger(String name) {
        Loop loop = loops.computeIfAbsent(name, each -> new Loop());
        if (loop.isRunning) {
            loop.isEventPresent = true;
        } else if (!loop.isQueued) {
            loop.isQueued = true;
            time.after(Duration.ZERO, () -> reconcile(name, loop));
        }
    }

    private void reconcile(String name, Loop loop) {
        loop.isQueued = false;
        IterativeJob job = newest(name);
        if (!isAlive || job == null) {
            return;
        }
        job = SimulatedHttpClient.SERIALIZATION.clone(job);
        loop.isRunning = true;
        Exception failure = null;
        Duration next = Intervals.STANDARD.resourceCheck();
        observer.began(job);
        try {
            next = reconciler
                    .reconcile(job, new SimulatedContext(job, client, pods, own -> written.put(name, own)))
                    .getScheduleDelay()
                    .map(Duration::ofMillis)
                    .orElse(next);
            loop.attempts = 0;
        } catch (Exception e) {
            failure = e;
            next = retry(loop.attempts++);
        } finally {
            loop.isRunning = false;
            observer.ended();
        }
        observer.reconciled(this, job, failure);
        if (loop.isEventPresent) {
            loop.isEventPresent = false;
            trigger(name);
            return;
        }
        long timer = ++loop.timer;
        time.after(next, () -> {
            if (loop.timer == timer) {
                trigger(name);
            }
        });
    }

    private static Duration retry(int attempts) {
        double millis = Intervals.STANDARD.firstRetry().toMillis() * Math.pow(BACKOFF, Math.min(attempts, 20));
        Duration retry = Duration.ofMillis((long) millis);
        Duration longest = Intervals.STANDARD.longestRetry();
        return retry.compareTo(longest) > 0 ? longest : retry;
    }
}
