// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.reconcile;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.operator.pod.AnyPod;
import dev.volary.operator.pod.NodeState;
import dev.volary.operator.pod.ObservedPod;
import dev.volary.operator.pod.PodName;
import dev.volary.operator.pod.PodRole;
import dev.volary.operator.spawner.JobReport;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class JobCacheTest {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
    private static final Duration MOMENT = Duration.ofMillis(1);

    private final JobCache cache = new JobCache(0, 0);

    @Test
    void aPodThatTheStatusNamedFirstAndNoCacheShowsIsSeenAndALaterOneIsNot() {
        PodName first = new PodName(PodRole.DAEMON, 0);
        PodName later = new PodName(PodRole.DAEMON, 1);
        assertEquals(Set.of(first), cache.history(Set.of(first), List.of()).seen());
        assertEquals(
                Set.of(first), cache.history(Set.of(first, later), List.of()).seen());
    }

    @Test
    void aPodThatTheStatusNoLongerTracksWasCountedByAnotherOperatorUnlessThisOneCountedIt() {
        ObservedPod pod = AnyPod.daemon(0).facts();
        var ignored = cache.history(Set.of(pod.pod()), List.of(pod));
        assertEquals(Set.of(pod.pod()), cache.history(Set.of(), List.of(pod)).followed());
        cache.counted(Set.of(pod.pod()));
        assertEquals(Set.of(), cache.history(Set.of(), List.of(pod)).followed());
    }

    @Test
    void everyWorkerMayBeAliveUntilTheSpawnersWereAsked() {
        assertTrue(cache.mayBeAlive("heat-d-0", START));
        assertFalse(cache.hasPolled());
    }

    @Test
    void aWorkerThatOneReportMissesIsStillAlive() {
        cache.polled(naming("heat-d-0", "heat-d-1"), START);
        cache.polled(naming("heat-d-0"), START.plusSeconds(1));

        assertTrue(cache.mayBeAlive("heat-d-1", START.plusSeconds(1)));
    }

    @Test
    void aWorkerIsAliveFromOneReportToTheNextHoweverRareTheyAre() {
        cache.polled(naming("heat-d-0"), START);

        assertTrue(
                cache.mayBeAlive("heat-d-0", START.plus(SpawnerPoller.LONGEST).plusSeconds(5)));
    }

    @Test
    void aWorkerThatNoReportNamesAnyMoreIsSilentAfterAWhile() {
        cache.polled(naming("heat-d-0", "heat-d-1"), START);
        Instant end = START.plus(JobCache.ALIVE);
        cache.polled(naming("heat-d-0"), end.minus(MOMENT));

        assertTrue(cache.mayBeAlive("heat-d-1", end.minus(MOMENT)));
        assertFalse(cache.mayBeAlive("heat-d-1", end));
        assertTrue(cache.mayBeAlive("heat-d-0", end));
    }

    @Test
    void timesInTheFutureOfAClockThatWasSetBackAreForgotten() {
        cache.polled(naming("heat-d-0"), START);
        cache.reconciledAt(START);
        cache.patched = START;
        cache.retryPods = START.plusSeconds(30);
        cache.ensuredUntil = START.plusSeconds(600);
        cache.reconciledAt(START.minus(MOMENT));
        assertEquals(START, cache.patched, "clocks are corrected by moments all the time");

        Instant back = START.minusSeconds(3600);
        cache.reconciledAt(back);
        assertEquals(Instant.MIN, cache.patched);
        assertEquals(Instant.MIN, cache.retryPods);
        assertEquals(Instant.MIN, cache.ensuredUntil);
        assertTrue(cache.mayBeAlive("heat-d-0", back));
        assertFalse(cache.mayBeAlive("heat-d-0", back.plus(JobCache.ALIVE)), "not for the hour that follows");
    }

    @Test
    void aWorkerThatWasNeverNamedIsSilentAWhileAfterTheSpawnersWereAskedFirst() {
        cache.polled(Optional.empty(), START);
        cache.polled(Optional.empty(), START.plusSeconds(9));

        assertTrue(cache.mayBeAlive("heat-d-0", START.plusSeconds(9)));
        assertFalse(cache.mayBeAlive("heat-d-0", START.plus(JobCache.ALIVE)));
    }

    @Test
    void whenASilentNodesWorkerCountsAsSilentIsKnownBeforehand() {
        cache.polled(naming("heat-d-0"), START);
        Instant now = START.plusSeconds(4);
        var silent = AnyPod.daemon(0).on(NodeState.NOT_READY).alive().facts();
        var well = AnyPod.daemon(1).alive().facts();

        assertEquals(Optional.empty(), cache.nextSilence(List.of(well), now));
        Duration wait = cache.nextSilence(List.of(silent, well), now).orElseThrow();
        assertFalse(cache.mayBeAlive("heat-d-0", now.plus(wait)));
        assertEquals(JobCache.ALIVE.minusSeconds(4).plus(MOMENT), wait);
    }

    @Test
    void aWorkerThatAPollForgetsWhileAJobIsLookedAtIsLookedAtAgainAtOnce() {
        cache.polled(Optional.empty(), START);
        cache.polled(naming("heat-d-0"), START.plusSeconds(1));
        Instant now = START.plusSeconds(1).plus(JobCache.ALIVE).minus(MOMENT);
        var silent = AnyPod.daemon(0).on(NodeState.NOT_READY).alive().facts();
        assertTrue(cache.mayBeAlive("heat-d-0", now));

        cache.polled(Optional.empty(), now.plus(MOMENT));

        assertEquals(Optional.of(MOMENT), cache.nextSilence(List.of(silent), now));
    }

    private static Optional<JobReport> naming(String... pods) {
        return Optional.of(new JobReport(
                JobReport.Stage.RUNNING,
                Optional.empty(),
                "heat-s-0",
                1,
                1,
                1e-6,
                1,
                1,
                1,
                0,
                1,
                Set.of(pods),
                Set.of(),
                Set.of(),
                JobReport.Results.NONE,
                Optional.empty(),
                Optional.empty()));
    }

    @Test
    void podsOfEarlierProcessesAreCheckedSomeAtATimeForSecretsThatTheyLeft() {
        JobCache cache = new JobCache(40, 1);
        Instant now = Instant.parse("2026-01-01T00:00:00Z");
        Duration interval = Duration.ofMinutes(10);
        int[] known = new int[5];
        for (int i = 0; i < known.length; i++) {
            cache.checkEarlierPods(now.plus(interval.multipliedBy(i)), interval);
            known[i] = cache.identities.size();
        }
        assertArrayEquals(new int[] {0, 32, 40, 41, 41}, known);
    }
}
