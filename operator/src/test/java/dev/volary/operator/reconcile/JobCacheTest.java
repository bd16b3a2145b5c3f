// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.reconcile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.operator.pod.AnyPod;
import dev.volary.operator.pod.NodeState;
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

    private final JobCache memory = new JobCache(0, 0);

    @Test
    void everybodyMayBeAliveUntilTheSpawnersWereAsked() {
        assertTrue(memory.hears("heat-d-0", START));
        assertFalse(memory.hasAsked());
    }

    @Test
    void aWorkerThatOneReportMissesIsStillHeard() {
        memory.answered(naming("heat-d-0", "heat-d-1"), START);
        memory.answered(naming("heat-d-0"), START.plusSeconds(1));

        assertTrue(memory.hears("heat-d-1", START.plusSeconds(1)));
    }

    @Test
    void aWorkerIsHeardFromOneReportToTheNextHoweverSeldomTheyCome() {
        memory.answered(naming("heat-d-0"), START);

        assertTrue(memory.hears("heat-d-0", START.plus(SpawnerPoller.LONGEST).plusSeconds(5)));
    }

    @Test
    void aWorkerThatNoReportNamesAnyMoreIsSilentAfterAWhile() {
        memory.answered(naming("heat-d-0", "heat-d-1"), START);
        Instant end = START.plus(JobCache.HEARD);
        memory.answered(naming("heat-d-0"), end.minus(MOMENT));

        assertTrue(memory.hears("heat-d-1", end.minus(MOMENT)));
        assertFalse(memory.hears("heat-d-1", end));
        assertTrue(memory.hears("heat-d-0", end));
    }

    @Test
    void aWorkerThatWasNeverNamedIsSilentAWhileAfterTheSpawnersWereAskedFirst() {
        memory.answered(Optional.empty(), START);
        memory.answered(Optional.empty(), START.plusSeconds(9));

        assertTrue(memory.hears("heat-d-0", START.plusSeconds(9)));
        assertFalse(memory.hears("heat-d-0", START.plus(JobCache.HEARD)));
    }

    @Test
    void whenASilentNodesWorkerCountsAsSilentIsKnownBeforehand() {
        memory.answered(naming("heat-d-0"), START);
        Instant now = START.plusSeconds(4);
        var silent = AnyPod.daemon(0).on(NodeState.NOT_READY).heard().facts();
        var well = AnyPod.daemon(1).heard().facts();

        assertEquals(Optional.empty(), memory.nextSilence(List.of(well), now));
        Duration wait = memory.nextSilence(List.of(silent, well), now).orElseThrow();
        assertFalse(memory.hears("heat-d-0", now.plus(wait)));
        assertEquals(JobCache.HEARD.minusSeconds(4).plus(MOMENT), wait);
    }

    @Test
    void aWorkerThatAPollForgetsWhileAJobIsLookedAtIsLookedAtAgainAtOnce() {
        memory.answered(Optional.empty(), START);
        memory.answered(naming("heat-d-0"), START.plusSeconds(1));
        Instant now = START.plusSeconds(1).plus(JobCache.HEARD).minus(MOMENT);
        var silent = AnyPod.daemon(0).on(NodeState.NOT_READY).heard().facts();
        assertTrue(memory.hears("heat-d-0", now));

        memory.answered(Optional.empty(), now.plus(MOMENT));

        assertEquals(Optional.of(MOMENT), memory.nextSilence(List.of(silent), now));
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
                Optional.empty()));
    }
}
