// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.reconcile;

import dev.volary.job.resource.IterativeJob;
import dev.volary.operator.metrics.OperatorMetrics;
import dev.volary.operator.metrics.RequestCounter;
import dev.volary.operator.objects.IdentitySecrets;
import dev.volary.operator.spawner.GrpcSpawnerClients;
import dev.volary.operator.spawner.SpawnerClients;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderCallbacks;
import io.javaoperatorsdk.operator.Operator;
import io.javaoperatorsdk.operator.api.config.LeaderElectionConfiguration;
import io.javaoperatorsdk.operator.api.config.LeaderElectionConfigurationBuilder;
import io.javaoperatorsdk.operator.processing.retry.GenericRetry;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.time.Clock;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Function;

/** One operator from start to stop. Several may run in one process, as tests do. */
public final class RunningOperator implements AutoCloseable {
    private static final Duration LEASE = Duration.ofSeconds(15);
    private static final Duration RENEW = Duration.ofSeconds(10);
    private static final Duration RETRY = Duration.ofSeconds(2);
    private static final int FIRST_RETRY_MILLIS = 500;
    private static final int LONGEST_RETRY_MILLIS = 30_000;

    private final KubernetesClient client;
    private final Operator operator;
    private final SpawnerPoller polls;
    private final SpawnerClients spawners;

    private RunningOperator(KubernetesClient client, Operator operator, SpawnerPoller polls, SpawnerClients spawners) {
        this.client = client;
        this.operator = operator;
        this.polls = polls;
        this.spawners = spawners;
    }

    /** Starts with the workers' own protocol; returns once the caches are filled. */
    public static RunningOperator start(Config config, OperatorSettings settings, OperatorMetrics metrics) {
        return start(
                config,
                settings,
                metrics,
                authorities -> new GrpcSpawnerClients(job -> {
                    try {
                        return IdentitySecrets.operator(authorities.of(job));
                    } catch (GeneralSecurityException e) {
                        throw new IOException("this JDK cannot make an identity", e);
                    }
                }));
    }

    /** As {@link #start(Config, OperatorSettings, OperatorMetrics)} with other spawners. */
    static RunningOperator start(
            Config config,
            OperatorSettings settings,
            OperatorMetrics metrics,
            Function<JobCertificates, SpawnerClients> spawnersOf) {
        KubernetesClient client = new KubernetesClientBuilder()
                .withConfig(config)
                .withHttpClientBuilderConsumer(
                        http -> http.addOrReplaceInterceptor(RequestCounter.NAME, new RequestCounter(metrics)))
                .build();
        JobCertificates authorities = new JobCertificates(client);
        SpawnerClients spawners = spawnersOf.apply(authorities);
        Clock clock = Clock.systemUTC();
        SpawnerPoller polls = new SpawnerPoller(spawners, clock);
        ActionExecutor acts = new ActionExecutor(
                client, settings.objects(), authorities, polls, new EventPublisher(client, settings.pod()), metrics);
        JobReconciler reconciler = new JobReconciler(
                clock, StatusThrottle.STANDARD, new PodEventSources(settings.readsNodes()), polls, acts, metrics);
        Operator operator = new Operator(configuration -> {
            configuration
                    .withKubernetesClient(client)
                    .withConcurrentReconciliationThreads(settings.threads())
                    .withCloseClientOnStop(false)
                    .withReconciliationTerminationTimeout(Duration.ofSeconds(5))
                    .withCacheSyncTimeout(Duration.ofMinutes(2));
            if (settings.election()) {
                configuration.withLeaderElectionConfiguration(election(settings, metrics));
            }
        });
        operator.register(reconciler, controller -> {
            controller
                    .withName("iterativejob")
                    .withFieldManager("volary-operator")
                    .withRetry(GenericRetry.defaultLimitedExponentialRetry()
                            .setInitialInterval(FIRST_RETRY_MILLIS)
                            .setMaxInterval(LONGEST_RETRY_MILLIS)
                            .setMaxAttempts(-1))
                    .withItemStore(reconciler.jobs())
                    .withGenerationAware(false)
                    .withOnUpdateFilter(RunningOperator::concernsUs)
                    .withReconciliationMaxInterval(Duration.ofMinutes(10));
            if (!settings.namespaces().isEmpty()) {
                controller.settingNamespaces(settings.namespaces());
            }
        });
        operator.start();
        return new RunningOperator(client, operator, polls, spawners);
    }

    /** The status is our own; of the rest the spec matters, and annotations, which ask for snapshots. */
    private static boolean concernsUs(IterativeJob next, IterativeJob old) {
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

    /** Whether all watches live. */
    public boolean isHealthy() {
        return operator.getRuntimeInfo().isStarted()
                && operator.getRuntimeInfo().allEventSourcesAreHealthy();
    }

    @Override
    public void close() {
        operator.stop();
        polls.stop();
        spawners.close();
        client.close();
    }
}
