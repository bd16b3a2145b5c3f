// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.reconcile;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.volary.job.resource.IterativeJob;
import dev.volary.operator.spawner.SpawnerClients;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.javaoperatorsdk.operator.processing.event.EventHandler;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Polls beside no API server: what wakes the reconciler is counted. */
class SpawnerPollerTest {
    private static final List<SpawnerClients.At> AT = List.of(new SpawnerClients.At("heat-s-0", "10.0.0.1"));
    private static final Duration ASK_AGAIN = Duration.ofMillis(200);

    private final FakeSpawnerClients spawners = new FakeSpawnerClients();
    private final AtomicInteger wakeups = new AtomicInteger();
    private final JobCache cache = new JobCache(0, 0);
    private final IterativeJob job = new IterativeJob();
    private final SpawnerPoller poller = new SpawnerPoller(spawners, Clock.systemUTC(), Intervals.STANDARD, ASK_AGAIN);
    private volatile EventHandler handler = event -> wakeups.incrementAndGet();

    @BeforeEach
    void start() {
        job.setMetadata(new ObjectMetaBuilder()
                .withName("heat")
                .withNamespace("lab")
                .withUid("u1")
                .build());
        poller.setEventHandler(event -> handler.handleEvent(event));
        poller.start();
    }

    @AfterEach
    void stop() {
        poller.stop();
    }

    @Test
    void aRefusedCheckpointIsForgottenAlsoWhereTheSpawnersThrewAndTheReconcilerCannotBeWoken() {
        spawners.checkpointFailing.add(new KubernetesClientException("secrets is forbidden"));
        handler = event -> {
            throw new IllegalStateException("no handler");
        };
        cache.requested.add("r1");
        poller.checkpoint(job, cache, AT, "r1");
        until().until(() -> cache.checkpoints.containsKey("r1"));
        SpawnerClients.Checkpoint answer = Objects.requireNonNull(cache.checkpoints.get("r1"));
        assertFalse(answer.taken());
        assertEquals("the operator cannot reach the spawners: secrets is forbidden", answer.message());
        until().until(() -> !cache.requested.contains("r1") && !cache.checkpoints.containsKey("r1"));
    }

    @Test
    void aPollThatCannotWakeTheReconcilerIsNotTheLast() {
        handler = event -> {
            throw new IllegalStateException("no handler");
        };
        poller.schedule(job, cache, AT);
        until().until(() -> spawners.polls.get() >= 3);
        handler = event -> wakeups.incrementAndGet();
        spawners.failing.add(new KubernetesClientException("secrets is forbidden"));
        until().until(() -> wakeups.get() > 0);
    }

    @Test
    void aJobThatIsNoLongerWatchedIsPolledNoMoreThoughItsPollsFailed() {
        for (int i = 0; i < 10; i++) {
            spawners.failing.add(new KubernetesClientException("secrets is forbidden"));
        }
        poller.schedule(job, cache, AT);
        until().until(() -> cache.isPollFailing());
        poller.schedule(job, cache, List.of());
        assertFalse(cache.isPollFailing(), "there is nothing to ask");
        int before = spawners.polls.get();
        await().during(Duration.ofSeconds(3))
                .atMost(Duration.ofSeconds(10))
                .until(() -> spawners.polls.get() <= before + 1);
    }

    private static ConditionFactory until() {
        return await().atMost(Duration.ofSeconds(30)).pollInterval(Duration.ofMillis(20));
    }
}
