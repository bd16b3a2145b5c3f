// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.reconcile;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.job.resource.IterativeJob;
import dev.volary.job.resource.Phase;
import dev.volary.job.testkit.LocalApiServer;
import dev.volary.job.testkit.NeedsApiServer;
import dev.volary.operator.metrics.OperatorMetrics;
import dev.volary.operator.resources.NetworkPolicies;
import dev.volary.operator.resources.WorkerImageConfig;
import dev.volary.operator.spawner.JobReport;
import dev.volary.operator.spawner.SpawnerClients;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Many jobs of ten pods each. The build takes a few; the full number is a command:
 * {@code ./mvnw -pl operator -am test -Dtest=LoadTest -Dvolary.load.jobs=1000 -Dvolary.load.seconds=60}. One large job is
 * {@code -Dvolary.load.jobs=1 -Dvolary.load.daemons=1000}. The heap that is reported holds the played kubelet too.
 */
@NeedsApiServer
@Isolated("it counts requests and measures the heap")
class LoadTest {
    private static final int JOBS = Integer.getInteger("volary.load.jobs", 20);
    private static final int SECONDS = Integer.getInteger("volary.load.seconds", 5);
    private static final int DAEMONS = Integer.getInteger("volary.load.daemons", 7);
    /** The target for an operator with many jobs. */
    private static final long HEAP = 512L << 20;

    @Test
    void manyJobsSettleInLittleMemoryAndThenCostNothing() throws Exception {
        OperatorMetrics metrics = new OperatorMetrics();
        Steady spawners = new Steady();
        try (LocalApiServer api = LocalApiServer.start()) {
            String namespace = api.namespace();
            KubernetesClient client = api.client();
            try (FakeKubelet kubelet = new FakeKubelet(client, namespace);
                    RunningOperator operator = RunningOperator.start(
                            api.config(), settings(namespace), metrics, authorities -> spawners)) {
                assertTrue(operator.isHealthy() && kubelet.isServing());
                long begun = System.nanoTime();
                IntStream.range(0, JOBS)
                        .forEach(i -> client.resource(job(namespace, i)).create());
                await().atMost(Duration.ofSeconds(30 + 2L * JOBS + DAEMONS))
                        .pollInterval(Duration.ofSeconds(1))
                        .until(() -> settled(client, namespace) == JOBS);
                double seconds = (System.nanoTime() - begun) / 1e9;
                long settling = metrics.requests();
                await().during(Duration.ofSeconds(3))
                        .atMost(Duration.ofSeconds(120))
                        .pollInterval(Duration.ofSeconds(1))
                        .until(new Unchanged(metrics)::since);
                String still = perMinute(metrics, Duration.ofSeconds(SECONDS));
                long patches = metrics.patches();
                long changes = metrics.changes();
                Thread.sleep(Duration.ofSeconds(SECONDS)); // what is measured is what happens while nothing does
                assertEquals(patches, metrics.patches());
                assertEquals(changes, metrics.changes());
                spawners.advance = true;
                String computing = perMinute(metrics, Duration.ofSeconds(2L * SECONDS));
                long heap = heap();
                System.out.printf(
                        "%d jobs of %d daemons: settled in %.1f s with %.1f requests per job; per job and minute %s requests"
                                + " while nothing changes, %s while all compute; heap %d MiB; patches without effect %d%n",
                        JOBS,
                        DAEMONS,
                        seconds,
                        (double) settling / JOBS,
                        still,
                        computing,
                        heap >> 20,
                        metrics.patchesWithoutEffect());
                assertEquals(0, metrics.patchesWithoutEffect());
                assertTrue(heap < HEAP, "heap is " + heap);
            }
        }
    }

    private static String perMinute(OperatorMetrics metrics, Duration window) throws InterruptedException {
        long before = metrics.requests();
        Thread.sleep(window);
        return String.format(Locale.ROOT, "%.2f", (metrics.requests() - before) * 60e3 / window.toMillis() / JOBS);
    }

    private static long heap() {
        Runtime runtime = Runtime.getRuntime();
        System.gc();
        return runtime.totalMemory() - runtime.freeMemory();
    }

    private static long settled(KubernetesClient client, String namespace) {
        return client.resources(IterativeJob.class).inNamespace(namespace).list().getItems().stream()
                .filter(job -> job.getStatus() != null
                        && job.getStatus().phase() == Phase.Running
                        && job.getStatus().conditions().stream()
                                .anyMatch(c -> c.getType().equals("Degraded")
                                        && c.getStatus().equals("False")))
                .count();
    }

    private static IterativeJob job(String namespace, int number) {
        return Serialization.unmarshal("""
                apiVersion: volary.dev/v1alpha1
                kind: IterativeJob
                metadata: {name: job-%d, namespace: %s}
                spec:
                  problem: {type: heat2d, parameters: {points: 63}}
                  daemons: {replicas: %d, standbys: 1}
                """.formatted(number, namespace, DAEMONS), IterativeJob.class);
    }

    private static OperatorSettings settings(String namespace) {
        return new OperatorSettings(
                Set.of(namespace),
                false,
                "load",
                false,
                false,
                8,
                new WorkerImageConfig(
                        "volary-worker:test",
                        "",
                        "",
                        "test",
                        new NetworkPolicies.OperatorPods(namespace, Map.of("app", "operator")),
                        List.of()),
                Optional.empty());
    }

    /** Whether counts stand still. */
    private static final class Unchanged {
        private final OperatorMetrics metrics;
        private long last = -1;

        Unchanged(OperatorMetrics metrics) {
            this.metrics = metrics;
        }

        boolean since() {
            long now = metrics.changes();
            boolean same = now == last;
            last = now;
            return same;
        }
    }

    /** Spawners of jobs that all compute; they advance on request. */
    private static final class Steady implements SpawnerClients {
        private final AtomicLong iterations = new AtomicLong();
        private volatile boolean advance;

        @Override
        public Optional<JobReport> report(IterativeJob job, List<At> at) {
            Set<String> busy = IntStream.range(0, DAEMONS)
                    .mapToObj(i -> job.getMetadata().getName() + "-d-" + i)
                    .collect(Collectors.toSet());
            return Optional.of(new JobReport(
                    JobReport.Stage.RUNNING,
                    Optional.empty(),
                    at.getFirst().pod(),
                    1e-3,
                    1,
                    1e-6,
                    1,
                    advance ? iterations.incrementAndGet() : 1,
                    DAEMONS,
                    0,
                    2,
                    busy,
                    Set.of(job.getMetadata().getName() + "-d-" + DAEMONS),
                    Set.of(at.getFirst().pod()),
                    JobReport.Results.NONE,
                    Optional.empty(),
                    Optional.empty()));
        }

        @Override
        public void hint(IterativeJob job, List<At> at, String pod, Hint hint) {}

        @Override
        public Checkpoint checkpoint(IterativeJob job, List<At> at) {
            return new Checkpoint(false, "none");
        }

        @Override
        public void forget(String uid) {}

        @Override
        public void close() {}
    }
}
