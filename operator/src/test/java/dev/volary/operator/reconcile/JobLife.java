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
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.awaitility.core.ConditionTimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * One complete life of a job under an operator that reaches the API server through a proxy: the job is applied and computes, loses
 * a worker, is scaled up and down, suspended and resumed, succeeds, is fetched and deleted. Each stage ends once the objects of the
 * namespace are those that the stage ends with.
 */
final class JobLife implements AutoCloseable {
    /** The proxy cannot wait as patiently as an operator: a life has many stages, and a test has many lives. */
    private static final Intervals SHORT = new Intervals(
            new StatusThrottle(Duration.ofMillis(50), Duration.ofMillis(200)),
            Duration.ofMillis(100),
            Duration.ofMillis(400),
            Duration.ofMillis(100),
            Duration.ofMillis(800),
            Duration.ofMillis(600),
            Duration.ofSeconds(3));

    private static final int REQUEST_TIMEOUT_MILLIS = 1000;
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String JOB = "heat";
    private static final double RESIDUAL = 5e-7;

    /**
     * What a life left behind.
     *
     * @param stages objects at the end of each stage, by kind and name without serials
     * @param status last status, without times and names of pods
     * @param events number of events by reason and note
     */
    record Outcome(Map<String, List<String>> stages, List<String> status, Map<String, Integer> events) {}

    final PlayedCluster cluster;
    private final FailingProxy proxy;
    private final SharedIndexInformer<IterativeJob> jobs;
    private final SharedIndexInformer<Pod> pods;
    private final List<IterativeJob> versions = new ArrayList<>();
    private final Set<String> shown = new TreeSet<>();
    private final Map<String, List<String>> stages = new TreeMap<>();
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

    /** Whether the probes of the operator fail: it has not filled its caches yet, or a watch is lost. */
    boolean isUnhealthy() {
        RunningOperator running = operator;
        return running == null || !running.isHealthy();
    }

    String namespace() {
        return cluster.namespace;
    }

    /**
     * Plays the life.
     *
     * @param expected what another life had at the end of each stage; empty for the first one
     * @param midway runs once the job computes
     */
    Outcome play(Map<String, List<String>> expected, Runnable midway) {
        Config access = new ConfigBuilder(cluster.access())
                .withMasterUrl(proxy.url())
                .withRequestTimeout(REQUEST_TIMEOUT_MILLIS)
                .withWatchReconnectInterval(100)
                .build();
        operator = cluster.operator("a", access, cluster::asking, Clock.systemUTC(), SHORT);
        IterativeJob job = cluster.client.resource(manifest()).create();
        stage("1 formed", expected, () -> pods.getStore().list().size() == 3 && allRun());
        report(JobReport.Stage.RUNNING, null, false);
        stage("2 computing", expected, this::isComplete);
        midway.run();
        evict(daemons().first());
        stage("3 replaced", expected, () -> isComplete() && replacements() == 1);
        patchSpec("{\"daemons\": {\"replicas\": 3}}");
        report(JobReport.Stage.RUNNING, null, false);
        stage("4 scaled up", expected, () -> isComplete() && daemons().size() == 3);
        patchSpec("{\"daemons\": {\"replicas\": 2}}");
        report(JobReport.Stage.RUNNING, null, false);
        stage("5 scaled down", expected, () -> isComplete() && daemons().size() == 2);
        lead();
        patchSpec("{\"suspend\": true}");
        stage("6 suspended", expected, () -> phase() == Phase.Suspended && !isLed());
        patchSpec("{\"suspend\": false}");
        stage("7 resumed", expected, () -> isComplete() && daemons().size() == 2);
        report(JobReport.Stage.RUNNING, null, false);
        stage("7 reported", expected, () -> isComplete() && computing() == 2);
        report(JobReport.Stage.FINISHED, new JobReport.End.Certified(RESIDUAL), false);
        stage(
                "8 succeeded",
                expected,
                () -> phase() == Phase.Succeeded && condition("ResultAvailable").equals("True OnSpawners"));
        report(JobReport.Stage.FINISHED, new JobReport.End.Certified(RESIDUAL), true);
        stage("9 fetched", expected, () -> condition("ResultAvailable").equals("False ResultFetched"));
        patchSpec("{\"ttlSecondsAfterFinished\": 0}");
        stage("Z deleted", expected, () -> jobs.getStore().list().isEmpty());
        for (HasMetadata left : cluster.objects()) {
            if (!Ownership.isBy(job, left)) {
                throw new AssertionError(left.getKind() + " "
                        + left.getMetadata().getName() + " is left, and garbage collection does not remove it");
            }
        }
        return new Outcome(stages, status(), events());
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

    private void stage(String name, Map<String, List<String>> expected, BooleanSupplier isReached) {
        List<String> wanted = expected.get(name);
        try {
            await().atMost(PATIENCE)
                    .pollInterval(Duration.ofMillis(150))
                    .pollDelay(Duration.ofMillis(20))
                    .until(() -> isReached.getAsBoolean() && (wanted == null ? isStable() : wanted.equals(objects())));
        } catch (ConditionTimeoutException e) {
            throw new AssertionError(
                    name + " is not reached; phase " + phase() + ", " + conditions() + ", objects " + objects()
                            + ", expected " + wanted,
                    e);
        }
        stages.put(name, objects());
    }

    private List<String> last = List.of();
    private int same;

    /** Whether the objects have not changed for a while. */
    private boolean isStable() {
        List<String> now = objects();
        same = now.equals(last) ? same + 1 : 0;
        last = now;
        return same >= 10;
    }

    /** Pods and what belongs to one of them are counted without their serials. */
    private List<String> objects() {
        return cluster.objects().stream()
                .map(o -> o.getKind() + " " + o.getMetadata().getName().replaceAll("-([ds])-\\d+", "-$1-#"))
                .sorted()
                .toList();
    }

    private List<String> conditions() {
        return latest().conditions().stream()
                .map(c -> c.getType() + " " + c.getStatus() + " " + c.getReason() + ": " + c.getMessage())
                .toList();
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

    private TreeSet<String> pods(PodRole role) {
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

    private TreeSet<String> daemons() {
        return cluster.pods().stream()
                .filter(pod -> pod.contains("-d-"))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Writes a leader into the Lease, as a spawner does. */
    private void lead() {
        Lease lease = lease();
        lease.getSpec().setHolderIdentity("1f");
        cluster.client.resource(lease).update();
    }

    private boolean isLed() {
        return lease().getSpec().getHolderIdentity() != null;
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
                        daemons(),
                        Set.of(),
                        spawners,
                        results,
                        Optional.empty()));
    }

    private synchronized List<String> status() {
        JobStatus status = Objects.requireNonNull(versions.getLast().getStatus());
        List<String> lines = new ArrayList<>();
        status.conditions().stream()
                .filter(c -> !c.getType().equals("Reconciled"))
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
