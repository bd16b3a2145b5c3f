// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.membership;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.protocol.config.FailureDetectorConfig;
import dev.volary.protocol.machine.SpawnerTurn;
import dev.volary.protocol.message.MembershipMessage.Evidence;
import dev.volary.protocol.message.MembershipMessage.ProbeAnswer;
import dev.volary.protocol.message.MembershipMessage.Suspicion;
import dev.volary.protocol.model.FailureVerdict;
import dev.volary.protocol.model.WorkerId;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Member 1 owns the group of members 1 to 5; 4 and 5 watch member 3, whose last message arrived at 8 s. */
class SuspicionTableTest {
    private static final long MS = 1_000_000;
    private static final long NOW = 10_000 * MS;
    private static final WorkerId SUSPECT = new WorkerId(3);
    private static final Suspicion SILENT = new Suspicion(SUSPECT, Evidence.SILENT, 1_960 * MS, 0);

    private final FailureDetectorConfig config = FailureDetectorConfig.confirmed(2, Duration.ofSeconds(2));
    private final MembershipView view = MemberLists.viewOf(new WorkerId(1), 5, config);
    private final SuspicionTable suspicions = new SuspicionTable(view);

    SuspicionTableTest() {
        for (int id : new int[] {2, 4, 5}) {
            view.peer(new WorkerId(id)).received(NOW);
        }
        view.peer(SUSPECT).received(8_000 * MS);
    }

    private List<FailureVerdict> tick(long millis) {
        return suspicions.tick(new SpawnerTurn(NOW + millis * MS));
    }

    private void bothWatchersReport() {
        suspicions.add(new WorkerId(4), SILENT, NOW);
        suspicions.add(new WorkerId(5), SILENT, NOW);
    }

    @Test
    void theReportsOfTheWatchersAloneAreNoVerdict() {
        bothWatchersReport();
        assertEquals(List.of(), tick(0));
        assertEquals(List.of(), tick(100), "the owner and member 2 have not confirmed it");
    }

    @Test
    void aSuspicionThatAllOthersConfirmIsAVerdict() {
        bothWatchersReport();
        tick(0);
        suspicions.answered(new WorkerId(2), new ProbeAnswer(SUSPECT, 2_050 * MS, false, 0), NOW + 50 * MS);
        for (int unanswered = 0; unanswered < 3; unanswered++) {
            view.peer(SUSPECT).probed(NOW, config);
        }
        assertEquals(List.of(), tick(60), "verdicts wait for others of the same time");
        assertEquals(List.of(new FailureVerdict(SUSPECT, FailureVerdict.Cause.DEAD, 2_170 * MS)), tick(170));
        assertFalse(suspicions.has(SUSPECT));
    }

    @Test
    void aSignOfLifeClosesASuspicion() {
        bothWatchersReport();
        view.peer(SUSPECT).received(NOW + 10 * MS);
        assertEquals(List.of(), tick(20));
        assertFalse(suspicions.has(SUSPECT));
    }

    @Test
    void aMemberThatLeavesNeedsNoConfirmation() {
        suspicions.add(SUSPECT, new Suspicion(SUSPECT, Evidence.LEFT, 0, 0), NOW);
        tick(0);
        assertEquals(List.of(new FailureVerdict(SUSPECT, FailureVerdict.Cause.LEFT, 0)), tick(100));
    }

    @Test
    void aHintOfThePlatformOpensASuspicionThatASignOfLifeCloses() {
        suspicions.add(new WorkerId(1), new Suspicion(SUSPECT, Evidence.HINTED, 0, 0), NOW);
        assertEquals(List.of(), tick(0), "a hint alone is no verdict");
        assertTrue(suspicions.has(SUSPECT));
        view.peer(SUSPECT).received(NOW + 10 * MS);
        assertEquals(List.of(), tick(20));
        assertFalse(suspicions.has(SUSPECT));
    }

    @Test
    void aMemberWhoseBlocksStandStillIsDeclaredStuckOnceTwoOthersReportIt() {
        Suspicion stuck = new Suspicion(SUSPECT, Evidence.STUCK, 30_000 * MS, 0);
        suspicions.add(new WorkerId(4), stuck, NOW);
        assertEquals(List.of(), tick(0));
        assertEquals(List.of(), tick(200), "one report is not enough");
        suspicions.add(new WorkerId(5), stuck, NOW);
        tick(210);
        assertEquals(List.of(new FailureVerdict(SUSPECT, FailureVerdict.Cause.STUCK, 30_000 * MS)), tick(400));
    }
}
