// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.reconcile;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.job.resource.IterativeJob;
import dev.volary.job.resource.JobStatus;
import dev.volary.job.resource.Phase;
import dev.volary.job.testkit.LocalApiServer;
import dev.volary.operator.metrics.OperatorMetrics;
import dev.volary.operator.resources.NetworkPolicies;
import dev.volary.operator.resources.WorkerImageConfig;
import dev.volary.operator.spawner.JobReport;
import dev.volary.operator.spawner.SpawnerClients;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.awaitility.core.ConditionFactory;
import org.jspecify.annotations.Nullable;

/** A namespace of a real API server, for one test; scheduler, kubelet and spawners are played. Ends what it has started. */
final class PlayedCluster implements AutoCloseable {
    final OperatorMetrics metrics = new OperatorMetrics();
    final FakeSpawnerClients spawners = new FakeSpawnerClients();
    final String namespace;
    final KubernetesClient client;

    private final LocalApiServer api;
    private final FakeKubelet kubelet;
    private final List<RunningOperator> operators = new ArrayList<>();

    PlayedCluster(LocalApiServer api) {
        this.api = api;
        this.client = api.client();
        this.namespace = api.namespace();
        this.kubelet = new FakeKubelet(client, namespace);
    }

    /** Access to the API server with all rights. */
    Config access() {
        return api.config();
    }

    RunningOperator operator(String name) {
        return operator(name, api.config(), authorities -> spawners);
    }

    RunningOperator operator(String name, Config access, Function<JobCertificates, SpawnerClients> spawnersOf) {
        return operator(name, access, spawnersOf, Clock.systemUTC());
    }

    RunningOperator operator(
            String name, Config access, Function<JobCertificates, SpawnerClients> spawnersOf, Clock clock) {
        return operator(name, access, spawnersOf, clock, Intervals.STANDARD);
    }

    RunningOperator operator(
            String name,
            Config access,
            Function<JobCertificates, SpawnerClients> spawnersOf,
            Clock clock,
            Intervals intervals) {
        RunningOperator operator = RunningOperator.start(
                access,
                new OperatorSettings(
                        Set.of(namespace),
                        false,
                        name,
                        false,
                        false,
                        4,
                        new WorkerImageConfig(
                                "volary-worker:test",
                                "",
                                "",
                                "test",
                                new NetworkPolicies.OperatorPods(namespace, Map.of("app", "operator")),
                                List.of()),
                        Optional.empty()),
                metrics,
                spawnersOf,
                clock,
                intervals);
        operators.add(operator);
        return operator;
    }

    /** The spawners of this cluster, polled as the real ones are: with an identity that the job's authority signs. */
    SpawnerClients asking(JobCertificates authorities) {
        FakeSpawnerClients played = spawners;
        return new SpawnerClients() {
            @Override
            public Optional<JobReport> report(IterativeJob job, List<At> at) throws IOException {
                assertTrue(authorities.of(job).isOf(job.getMetadata().getUid()));
                return played.report(job, at);
            }

            @Override
            public void hint(IterativeJob job, List<At> at, String pod, Hint hint) throws IOException {
                played.hint(job, at, pod, hint);
            }

            @Override
            public Checkpoint checkpoint(IterativeJob job, List<At> at) {
                return played.checkpoint(job, at);
            }

            @Override
            public void forget(String uid) {
                played.forget(uid);
            }

            @Override
            public void close() {
                played.close();
            }
        };
    }

    /** Ends an operator before the test does. */
    void stop(RunningOperator operator) {
        operators.remove(operator);
        operator.close();
    }

    /** A job of one daemon and one spawner that solves {@code problem}. */
    IterativeJob apply(String name, String problem) {
        return client.resource(job(name, problem)).create();
    }

    private IterativeJob job(String name, String problem) {
        return Serialization.unmarshal("""
                        apiVersion: volary.dev/v1alpha1
                        kind: IterativeJob
                        metadata: {name: %s, namespace: %s}
                        spec:
                          problem: {type: %s, parameters: {points: 63}}
                          daemons: {replicas: 1}
                          spawners: {replicas: 1}
                        """.formatted(name, namespace, problem), IterativeJob.class);
    }

    /** Deletes a job; its objects stay, for no garbage collector runs here. */
    void delete(String job) {
        client.resources(IterativeJob.class)
                .inNamespace(namespace)
                .withName(job)
                .delete();
        until().until(() -> get(job) == null);
    }

    @Nullable IterativeJob get(String job) {
        return client.resources(IterativeJob.class)
                .inNamespace(namespace)
                .withName(job)
                .get();
    }

    JobStatus status(String job) {
        IterativeJob there = get(job);
        return there == null || there.getStatus() == null ? JobStatus.EMPTY : there.getStatus();
    }

    Phase phase(String job) {
        Phase phase = status(job).phase();
        return phase == null ? Phase.Pending : phase;
    }

    /** A condition as status and reason, as {@code False Forming}; empty while it is not there. */
    String condition(String job, String type) {
        return find(job, type).map(c -> c.getStatus() + " " + c.getReason()).orElse("");
    }

    String message(String job, String type) {
        return find(job, type).map(Condition::getMessage).orElse("");
    }

    private Optional<Condition> find(String job, String type) {
        return status(job).conditions().stream()
                .filter(c -> c.getType().equals(type))
                .findFirst();
    }

    /** Notes of the events with this reason that regard a job of this name. */
    List<String> notes(String job, String reason) {
        return client.events().v1().events().inNamespace(namespace).list().getItems().stream()
                .filter(e ->
                        e.getRegarding().getName().equals(job) && e.getReason().equals(reason))
                .map(e -> e.getNote())
                .toList();
    }

    Set<String> pods() {
        return client.pods().inNamespace(namespace).list().getItems().stream()
                .map(p -> p.getMetadata().getName())
                .collect(Collectors.toSet());
    }

    /** Where the pod of this name was reached last. */
    String address(String pod) {
        Pod there = client.pods().inNamespace(namespace).withName(pod).get();
        String address = there == null ? null : there.getStatus().getPodIP();
        return address == null ? "" : address;
    }

    /** All objects that a job consists of, the pods included. */
    List<HasMetadata> objects() {
        return objects(client, namespace);
    }

    /** All objects in a namespace of the kinds that jobs consist of. */
    static List<HasMetadata> objects(KubernetesClient client, String namespace) {
        List<HasMetadata> all = new ArrayList<>();
        all.addAll(client.pods().inNamespace(namespace).list().getItems());
        all.addAll(client.configMaps()
                .inNamespace(namespace)
                .withLabel("volary.dev/job")
                .list()
                .getItems());
        all.addAll(client.secrets().inNamespace(namespace).list().getItems());
        all.addAll(client.services().inNamespace(namespace).list().getItems());
        all.addAll(client.serviceAccounts().inNamespace(namespace).list().getItems());
        all.addAll(client.leases().inNamespace(namespace).list().getItems());
        all.addAll(client.rbac().roles().inNamespace(namespace).list().getItems());
        all.addAll(client.rbac().roleBindings().inNamespace(namespace).list().getItems());
        all.addAll(client.network()
                .v1()
                .networkPolicies()
                .inNamespace(namespace)
                .list()
                .getItems());
        return all;
    }

    /** Of a job whose daemon iterates, or that has ended. */
    JobReport report(String job, JobReport.Stage stage, JobReport.@Nullable End end, double residual) {
        return new JobReport(
                stage,
                Optional.ofNullable(end),
                job + "-s-0",
                residual,
                1,
                1e-6,
                1,
                10,
                1,
                0,
                2,
                Set.of(job + "-d-0"),
                Set.of(),
                Set.of(job + "-s-0"),
                JobReport.Results.NONE,
                Optional.empty(),
                Optional.empty());
    }

    static ConditionFactory until() {
        return await().atMost(Duration.ofSeconds(60)).pollInterval(Duration.ofMillis(100));
    }

    @Override
    public void close() {
        operators.forEach(RunningOperator::close);
        kubelet.close();
    }
}
