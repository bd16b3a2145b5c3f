// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.reconcile;

import dev.volary.job.resource.IterativeJob;
import dev.volary.operator.metrics.OperatorMetrics;
import dev.volary.operator.metrics.RequestCounter;
import dev.volary.operator.spawner.GrpcSpawnerClients;
import dev.volary.operator.spawner.SpawnerClients;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderCallbacks;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.javaoperatorsdk.operator.Operator;
import io.javaoperatorsdk.operator.RegisteredController;
import io.javaoperatorsdk.operator.api.config.LeaderElectionConfiguration;
import io.javaoperatorsdk.operator.api.config.LeaderElectionConfigurationBuilder;
import io.javaoperatorsdk.operator.health.InformerHealthIndicator;
import io.javaoperatorsdk.operator.health.InformerWrappingEventSourceHealthIndicator;
import io.javaoperatorsdk.operator.processing.retry.GenericRetry;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.time.Clock;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Function;

/** A running operator. Several may run in one process, as in tests. */
public final class RunningOperator implements AutoCloseable {
    private static final Duration LEASE = Duration.ofSeconds(15);
    private static final Duration RENEW = Duration.ofSeconds(10);
    private static final Duration RETRY = Duration.ofSeconds(2);
    /** Shared by all operators of a process, because the first use of each type is slow. */
    private static final KubernetesSerialization SERIALIZATION = new KubernetesSerialization();

    private static final Duration CACHE_SYNC = Duration.ofMinutes(2);
    /** The client retries a request for less than a second; a reconciliation that fails then is shown, and retried itself. */
    private static final int REQUEST_RETRIES = 3;
    /**
     * Time to the first attempt to reopen a watch, in milliseconds. It doubles five times, to 8 s; with the client's default, 32
     * s, a job can end after an outage of the API server before the operator has seen which pods were lost in it.
     */
    private static final int WATCH_RETRY = 250;

    private final KubernetesClient client;
    private final Operator operator;
    private final SpawnerPoller poller;
    private final SpawnerClients spawners;

    private RunningOperator(KubernetesClient client, Operator operator, SpawnerPoller poller, SpawnerClients spawners) {
        this.client = client;
        this.operator = operator;
        this.poller = poller;
        this.spawners = spawners;
    }

    /** Starts an operator that calls spawners over gRPC; returns once its caches are filled. */
    public static RunningOperator start(Config config, OperatorSettings settings, OperatorMetrics metrics) {
        Clock clock = Clock.systemUTC();
        return start(
                config,
                settings,
                metrics,
                certificates -> new GrpcSpawnerClients(job -> {
                    try {
                        return new OperatorIdentity(certificates.of(job), clock);
                    } catch (GeneralSecurityException e) {
                        throw new IOException("this JDK cannot create an identity", e);
                    }
                }),
                clock,
                Intervals.STANDARD);
    }

    /** As {@link #start(Config, OperatorSettings, OperatorMetrics)} with other clients of spawners. */
    static RunningOperator start(
            Config config,
            OperatorSettings settings,
            OperatorMetrics metrics,
            Function<JobCertificates, SpawnerClients> spawnersOf) {
        return start(config, settings, metrics, spawnersOf, Clock.systemUTC(), Intervals.STANDARD);
    }

    /** As {@link #start(Config, OperatorSettings, OperatorMetrics, Function)} with another clock and other intervals. */
    static RunningOperator start(
            Config config,
            OperatorSettings settings,
            OperatorMetrics metrics,
            Function<JobCertificates, SpawnerClients> spawnersOf,
            Clock clock,
            Intervals intervals) {
        config.setRequestRetryBackoffLimit(REQUEST_RETRIES);
        config.setWatchReconnectInterval(WATCH_RETRY);
        KubernetesClient client = new KubernetesClientBuilder()
                .withConfig(config)
                .withKubernetesSerialization(SERIALIZATION)
                .withHttpClientBuilderConsumer(http -> {
                    http.addOrReplaceInterceptor(RequestCounter.NAME, new RequestCounter(metrics));
                    http.addOrReplaceInterceptor(WatchTimeout.NAME, new WatchTimeout(config.getRequestTimeout()));
                })
                .build();
        JobCertificates certificates = new JobCertificates(client, clock);
        SpawnerClients spawners = spawnersOf.apply(certificates);
        SpawnerPoller poller = new SpawnerPoller(spawners, clock, intervals);
        ActionExecutor executor = new ActionExecutor(
                client,
                settings.objects(),
                certificates,
                poller,
                new EventPublisher(client, settings.pod(), metrics),
                metrics,
                intervals);
        JobReconciler reconciler = new JobReconciler(
                clock, intervals, new PodEventSources(settings.readsNodes()), poller, executor, metrics);
        Operator operator = new Operator(configuration -> {
            configuration
                    .withKubernetesClient(client)
                    .withConcurrentReconciliationThreads(settings.threads())
                    .withCloseClientOnStop(false)
                    .withReconciliationTerminationTimeout(Duration.ofSeconds(5))
                    .withCacheSyncTimeout(CACHE_SYNC)
                    .withStopOnInformerErrorDuringStartup(false); // otherwise a refused watch ends the process
            if (settings.election()) {
                configuration.withLeaderElectionConfiguration(election(settings, metrics));
            }
        });
        operator.register(reconciler, controller -> {
            controller
                    .withName("iterativejob")
                    .withFieldManager("volary-operator")
                    .withRetry(GenericRetry.defaultLimitedExponentialRetry()
                            .setInitialInterval(intervals.firstRetry().toMillis())
                            .setMaxInterval(intervals.longestRetry().toMillis())
                            .setMaxAttempts(-1))
                    .withItemStore(reconciler.jobs())
                    .withGenerationAware(false)
                    .withOnUpdateFilter(RunningOperator::isRelevant)
                    .withReconciliationMaxInterval(intervals.resourceCheck());
            if (!settings.namespaces().isEmpty()) {
                controller.settingNamespaces(settings.namespaces());
            }
        });
        operator.start();
        RunningOperator running = new RunningOperator(client, operator, poller, spawners);
        metrics.watching(running::isWatching);
        return running;
    }

    /**
     * Reconciles on changes of the spec and of annotations, which request snapshots; the status is written by the operator
     * itself.
     */
    private static boolean isRelevant(IterativeJob next, IterativeJob old) {
        return !Objects.equals(
                        next.getMetadata().getGeneration(), old.getMetadata().getGeneration())
                || !Objects.equals(
                        next.getMetadata().getAnnotations(), old.getMetadata().getAnnotations());
    }

    private static LeaderElectionConfiguration election(OperatorSettings settings, OperatorMetrics metrics) {
        metrics.leading(false);
        LeaderCallbacks callbacks =
                new LeaderCallbacks(() -> metrics.leading(true), () -> metrics.leading(false), leader -> {});
        LeaderElectionConfigurationBuilder builder = LeaderElectionConfigurationBuilder.aLeaderElectionConfiguration(
                        OperatorSettings.LEASE)
                .withLeaseNamespace(settings.leaseNamespace()
                        .orElse(settings.objects().operator().namespace()))
                .withLeaseDuration(LEASE)
                .withRenewDeadline(RENEW)
                .withRetryPeriod(RETRY)
                .withIdentity(settings.pod())
                .withLeaderCallbacks(callbacks);
        return settings.exits() ? builder.build() : builder.buildForTest(false);
    }

    /** Whether the caches are filled and all watches are open. While one is not, statuses may be outdated. */
    public boolean isWatching() {
        for (RegisteredController<?> controller : operator.getRegisteredControllers()) {
            for (InformerWrappingEventSourceHealthIndicator<?> source : controller
                    .getControllerHealthInfo()
                    .informerEventSourceHealthIndicators()
                    .values()) {
                for (InformerHealthIndicator informer :
                        source.informerHealthIndicators().values()) {
                    if (!informer.hasSynced() || !informer.isWatching()) {
                        return false;
                    }
                }
            }
        }
        return true;
    }

    /** Whether the caches were filled, and are kept up to date once the API server answers. */
    public boolean isHealthy() {
        return operator.getRuntimeInfo().isStarted()
                && operator.getRuntimeInfo().allEventSourcesAreHealthy();
    }

    @Override
    public void close() {
        operator.stop();
        // The SDK does not end its timer, which would keep the caches of this operator and look at them for ever.
        var _ = operator.getConfigurationService()
                .getExecutorServiceManager()
                .scheduledExecutorService()
                .shutdownNow();
        poller.stop();
        spawners.close();
        client.close();
    }
}
