// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.reconcile;

import static org.awaitility.Awaitility.await;

import dev.volary.job.resource.DaemonStatus;
import dev.volary.job.resource.IterativeJob;
import dev.volary.job.resource.JobStatus;
import dev.volary.job.resource.Ownership;
import dev.volary.job.resource.Phase;
import dev.volary.job.testkit.LocalApiServer;
import dev.volary.operator.pod.PodRole;
import dev.volary.operator.spawner.JobReport;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.awaitility.core.ConditionTimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * One complete life of a job under an operator that reaches the API server through a proxy: the job is applied and computes, loses
 * a worker, is scaled up and down, suspended and resumed, succeeds, is fetched and deleted. Each stage ends once the job
 * has the objects that belong to it.
 */
final class JobLife implements AutoCloseable {
    private static final Intervals SHORT = new Intervals(
            new StatusThrottle(Duration.ofMillis(50), Duration.ofMillis(200)),
            Duration.ofMillis(100),
            Duration.ofMillis(400),
            Duration.ofMillis(100),
            Duration.ofMillis(800),
            Duration.ofMillis(600),
            Duration.ofSeconds(3));

    static final int REQUEST_TIMEOUT_MILLIS = 2000;
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String JOB = "heat";
    private static final double RESIDUAL = 5e-7;

    /**
     * What a life left behind.
     *
     * @param status last status, without times and names of pods
     * @param events number of events by reason and note
     */
    record Outcome(List<String> status, Map<String, Integer> events) {}

    /** Objects of a job that belong to no pod. */
    private static final List<String> SHARED = List.of(
            "ConfigMap volary-heat-job",
            "Lease heat-lead",
            "NetworkPolicy volary-heat-daemons",
            "NetworkPolicy volary-heat-spawners",
            "Role volary-heat-spawner",
            "RoleBinding volary-heat-spawner",
            "Secret volary-heat-ca",
            "Service volary-heat-d",
            "Service volary-heat-s",
            "ServiceAccount volary-heat-spawner");

    final PlayedCluster cluster;
    private final FailingProxy proxy;
    private final SharedIndexInformer<IterativeJob> jobs;
    private final SharedIndexInformer<Pod> pods;
    private final List<IterativeJob> versions = new ArrayList<>();
    private final Set<String> shown = new TreeSet<>();
    private volatile @Nullable RunningOperator operator;

    JobLife(LocalApiServer api, FailingProxy proxy) {
        this.proxy = proxy;
        this.cluster = new PlayedCluster(api);
        this.jobs = cluster.client
                .resources(IterativeJob.class)
                .inNamespace(cluster.namespace)
                .inform(new ResourceEventHandler<>() {
                    @Override
                    public void onAdd(IterativeJob job) {
                        observe(job);
                    }

                    @Override
                    public void onUpdate(IterativeJob old, IterativeJob job) {
                        observe(job);
                    }

                    @Override
                    public void onDelete(IterativeJob job, boolean unknown) {
                        observe(job);
                    }
                });
        this.pods = cluster.client.pods().inNamespace(cluster.namespace).inform();
    }

    private synchronized void observe(IterativeJob job) {
        versions.add(job);
        if (job.getStatus() != null) {
            job.getStatus().conditions().stream()
                    .filter(c -> c.getMessage() != null)
                    .forEach(c ->
                            shown.add(c.getType() + " " + c.getStatus() + " " + c.getReason() + ": " + c.getMessage()));
        }
    }

    /** Whether a condition has shown a text so far. */
    synchronized boolean hasShown(String text) {
        return shown.stream().anyMatch(line -> line.contains(text));
    }

    /** Whether the operator is ready: its caches are filled, and its watches are open. */
    boolean isReady() {
        RunningOperator running = operator;
        return running != null && running.isWatching();
    }

    String namespace() {
        return cluster.namespace;
    }

    /**
     * Plays the life.
     *
     * @param midway runs once the job computes
     */
    Outcome play(Runnable midway) {
        Config access = new ConfigBuilder(cluster.access())
                .withMasterUrl(proxy.url())
                .withRequestTimeout(REQUEST_TIMEOUT_MILLIS)
                .withWatchReconnectInterval(100)
                .build();
        operator = cluster.operator("a", access, cluster::asking, Clock.systemUTC(), SHORT);
        IterativeJob job = cluster.client.resource(manifest()).create();
        stage("formed", 2, 1, this::allRun);
        report(JobReport.Stage.RUNNING, null, false);
        stage("computing", 2, 1, this::isComplete);
        midway.run();
        evict(pods(PodRole.DAEMON).first());
        stage("replaced", 2, 1, () -> isComplete() && replacements() == 1);
        scale(3);
        stage("scaled up", 3, 1, this::isComplete);
        scale(2);
        stage("scaled down", 2, 1, this::isComplete);
        lead();
        patchSpec("{\"suspend\": true}");
        stage(
                "suspended",
                0,
                0,
                () -> phase() == Phase.Suspended && lease().getSpec().getHolderIdentity() == null);
        patchSpec("{\"suspend\": false}");
        stage("resumed", 2, 1, this::isComplete);
        report(JobReport.Stage.RUNNING, null, false);
        stage("computing again", 2, 1, () -> isComplete() && computing() == 2);
        report(JobReport.Stage.FINISHED, new JobReport.End.Certified(RESIDUAL), false);
        stage("succeeded", 0, 1, () -> condition("ResultAvailable").equals("True OnSpawners"));
        report(JobReport.Stage.FINISHED, new JobReport.End.Certified(RESIDUAL), true);
        stage("fetched", 0, 0, () -> condition("ResultAvailable").equals("False ResultFetched"));
        patchSpec("{\"ttlSecondsAfterFinished\": 0}");
        until(() -> jobs.getStore().list().isEmpty(), () -> "the job is not deleted");
        for (HasMetadata left : cluster.objects()) {
            if (!Ownership.isBy(job, left)) {
                throw new AssertionError(left.getKind() + " "
                        + left.getMetadata().getName() + " is left, and garbage collection does not remove it");
            }
        }
        return new Outcome(status(), events());
    }

    private IterativeJob manifest() {
        return Serialization.unmarshal("""
                apiVersion: volary.dev/v1alpha1
                kind: IterativeJob
                metadata: {name: %s, namespace: %s}
                spec:
                  problem: {type: heat2d, parameters: {points: 63}}
                  daemons: {replicas: 2}
                  spawners: {replicas: 1}
                  podRetention: None
                  checkpoint: {volume: {persistentVolumeClaim: {claimName: ck}}}
                """.formatted(JOB, cluster.namespace), IterativeJob.class);
    }

    /** Waits until the job has reached a stage, and its namespace has the objects for these pods and no others. */
    private void stage(String name, int daemons, int spawners, BooleanSupplier isReached) {
        List<String> expected = expected(daemons, spawners);
        until(
                () -> isReached.getAsBoolean() && objects().equals(expected),
                () -> "stage \"" + name + "\" is not reached: phase " + phase() + ", " + conditions() + ", objects "
                        + objects() + " in place of " + expected + "; the operator "
                        + (isReady() ? "watches" : "does not watch") + " and has requested "
                        + proxy.counts(namespace()));
    }

    private static void until(BooleanSupplier isReached, Supplier<String> otherwise) {
        try {
            await().atMost(PATIENCE)
                    .pollDelay(Duration.ofMillis(20))
                    .pollInterval(Duration.ofMillis(100))
                    .until(isReached::getAsBoolean);
        } catch (ConditionTimeoutException e) {
            throw new AssertionError(otherwise.get(), e);
        }
    }

    private static List<String> expected(int daemons, int spawners) {
        List<String> objects = new ArrayList<>(SHARED);
        for (String role : Stream.concat(
                        Collections.nCopies(daemons, "d").stream(), Collections.nCopies(spawners, "s").stream())
                .toList()) {
            objects.add("Pod heat-" + role + "-#");
            objects.add("Secret volary-heat-" + role + "-#-identity");
        }
        Collections.sort(objects);
        return objects;
    }

    private void scale(int daemons) {
        patchSpec("{\"daemons\": {\"replicas\": " + daemons + "}}");
    }

    /** Pods and what belongs to one of them are counted without their serials. */
    private List<String> objects() {
        return cluster.objects().stream()
                .map(o -> o.getKind() + " " + o.getMetadata().getName().replaceAll("-([ds])-\\d+", "-$1-#"))
                .sorted()
                .toList();
    }

    private List<String> conditions() {
        return latest().conditions().stream().map(JobLife::line).toList();
    }

    private boolean isComplete() {
        return phase() == Phase.Running && condition("Degraded").equals("False Complete") && allRun();
    }

    private void evict(String pod) {
        cluster.client
                .pods()
                .inNamespace(cluster.namespace)
                .withName(pod)
                .editStatus(running -> new PodBuilder(running)
                        .editStatus()
                        .withPhase("Failed")
                        .withReason("Evicted")
                        .withContainerStatuses(List.of())
                        .endStatus()
                        .build());
    }

    private JobStatus latest() {
        return jobs.getStore().list().stream()
                .map(IterativeJob::getStatus)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(JobStatus.EMPTY);
    }

    private Phase phase() {
        return Objects.requireNonNullElse(latest().phase(), Phase.Pending);
    }

    private String condition(String type) {
        return latest().conditions().stream()
                .filter(c -> c.getType().equals(type))
                .map(c -> c.getStatus() + " " + c.getReason())
                .findFirst()
                .orElse("");
    }

    private SortedSet<String> pods(PodRole role) {
        return pods.getStore().list().stream()
                .map(pod -> pod.getMetadata().getName())
                .filter(name -> name.contains("-" + role.letter() + "-"))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private boolean allRun() {
        return pods.getStore().list().stream()
                .allMatch(pod -> "Running".equals(pod.getStatus().getPhase())
                        && pod.getMetadata().getDeletionTimestamp() == null);
    }

    private int replacements() {
        JobStatus.Replacements counted = latest().replacements();
        return counted == null ? 0 : counted.total();
    }

    private int computing() {
        DaemonStatus daemons = latest().daemons();
        return daemons == null ? 0 : daemons.ready();
    }

    /** Writes a leader into the Lease, as a spawner does. */
    private void lead() {
        Lease lease = lease();
        lease.getSpec().setHolderIdentity("1f");
        cluster.client.resource(lease).update();
    }

    private Lease lease() {
        return Objects.requireNonNull(cluster.client
                .leases()
                .inNamespace(cluster.namespace)
                .withName(JOB + "-lead")
                .get());
    }

    private void patchSpec(String spec) {
        cluster.client
                .resources(IterativeJob.class)
                .inNamespace(cluster.namespace)
                .withName(JOB)
                .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"spec\": " + spec + "}");
    }

    private void report(JobReport.Stage stage, JobReport.@Nullable End end, boolean isFetched) {
        Set<String> spawners =
                cluster.pods().stream().filter(pod -> pod.contains("-s-")).collect(Collectors.toSet());
        JobReport.Results results =
                end == null ? JobReport.Results.NONE : new JobReport.Results(isFetched, spawners, Set.of());
        cluster.spawners.say(
                JOB,
                new JobReport(
                        stage,
                        Optional.ofNullable(end),
                        "leader",
                        RESIDUAL,
                        1,
                        1e-6,
                        1,
                        10,
                        2,
                        0,
                        2,
                        pods(PodRole.DAEMON),
                        Set.of(),
                        spawners,
                        results,
                        Optional.empty(),
                        Optional.empty()));
    }

    private synchronized List<String> status() {
        JobStatus status = Objects.requireNonNull(versions.getLast().getStatus());
        List<String> lines = new ArrayList<>();
        status.conditions().stream()
                .filter(c -> !c.getType().equals("Reconciled")) // these two are absent until there is an obstacle
                .filter(c -> !c.getType().equals("Stalled") || c.getStatus().equals("True"))
                .map(JobLife::line)
                .sorted()
                .forEach(lines::add);
        status.stateTransitions().forEach(t -> lines.add(t.phase() + " " + t.reason() + " " + t.message()));
        lines.add("replacements " + status.replacements() + ", retries " + status.retriesUsed() + ", daemons "
                + status.daemons() + ", residual " + status.certifiedResidual() + ", fetched "
                + status.resultFetched());
        return lines;
    }

    private static String line(Condition c) {
        return (c.getType() + " " + c.getStatus() + " " + c.getReason() + ": " + c.getMessage())
                .replaceAll("-([ds])-\\d+", "-$1-#");
    }

    private Map<String, Integer> events() {
        Map<String, Integer> counts = new TreeMap<>();
        cluster.client.events().v1().events().inNamespace(cluster.namespace).list().getItems().stream()
                .filter(e -> "volary.dev/operator".equals(e.getReportingController()))
                .forEach(
                        e -> counts.merge(e.getReason() + ": " + e.getNote().replaceAll("\\d+", "#"), 1, Integer::sum));
        return counts;
    }

    @Override
    public void close() {
        jobs.stop();
        pods.stop();
        cluster.close();
        proxy.forget(cluster.namespace);
    }
}
