// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.pod;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.protocol.machine.JobEvent;
import dev.volary.protocol.message.ProgressMessage.BlockProgress;
import dev.volary.protocol.message.ProgressMessage.DaemonReport;
import dev.volary.protocol.model.FailureVerdict;
import dev.volary.protocol.model.GroupTerm;
import dev.volary.protocol.model.Incarnation;
import dev.volary.protocol.model.WorkerId;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RecoveryTimerTest {
    private static final long SECOND = 1_000_000_000;
    private static final WorkerId SPAWNER = new WorkerId(1);
    private static final WorkerId DEAD = new WorkerId(7);
    private static final WorkerId NEXT = new WorkerId(8);
    private static final int BLOCK = 3;

    private final List<Double> seconds = new ArrayList<>();
    private final RecoveryTimer recoveries = new RecoveryTimer(seconds::add);

    private static JobEvent.DaemonLost lost(long silentNanos) {
        return new JobEvent.DaemonLost(DEAD, FailureVerdict.Cause.DEAD, silentNanos, List.of(BLOCK));
    }

    private void look(WorkerId daemon, double hint, long now) {
        Incarnation incarnation = new Incarnation(new GroupTerm(1, SPAWNER), 1);
        recoveries.update(
                List.of(BLOCK),
                List.of(new DaemonReport(daemon, List.of(new BlockProgress(BLOCK, incarnation, 40, 1, hint, 0, 0)))),
                now);
    }

    @Test
    void recoveryTimeRunsFromTheLastMessageOfTheDaemonUntilAnotherOneIterates() {
        recoveries.daemonLost(lost(SECOND / 4), 10 * SECOND);
        look(DEAD, 0.5, 10 * SECOND); // its last report
        look(NEXT, Double.NaN, 10 * SECOND); // restored
        assertTrue(recoveries.isRunning());
        look(NEXT, 0.5, 11 * SECOND);
        assertEquals(List.of(1.25), seconds);
        assertFalse(recoveries.isRunning());
    }

    @Test
    void recoveryTimeOfABlockOfAnotherGroupRunsFromTheTakeover() {
        recoveries.groupTakenOver(new JobEvent.GroupTakenOver(SPAWNER, 2, List.of(BLOCK)), 20 * SECOND);
        recoveries.blocksReassigned(new JobEvent.BlocksReassigned(NEXT, List.of(BLOCK)), 20 * SECOND + 4_000_000);
        look(DEAD, 0.5, 20 * SECOND + 5_000_000); // the last report at the leader
        assertEquals(List.of(), seconds);
        look(NEXT, 0.5, 20 * SECOND + SECOND / 2);
        assertEquals(List.of(0.5), seconds);
    }

    @Test
    void blocksWithLiveDaemonsHaveNoRecoveryTime() {
        recoveries.groupTakenOver(new JobEvent.GroupTakenOver(SPAWNER, 2, List.of(BLOCK)), 20 * SECOND);
        assertFalse(recoveries.isRunning());
        recoveries.blocksReassigned(new JobEvent.BlocksReassigned(NEXT, List.of(BLOCK)), 30 * SECOND); // assigned again
        recoveries.blocksReassigned(
                new JobEvent.BlocksReassigned(NEXT, List.of(BLOCK + 1)), 20 * SECOND); // another one
        assertFalse(recoveries.isRunning());
    }

    @Test
    void aSpawnerThatNoLongerOwnsABlockStopsItsTimer() {
        recoveries.daemonLost(lost(0), 19 * SECOND);
        recoveries.update(List.of(BLOCK + 1), List.of(), 20 * SECOND);
        assertFalse(recoveries.isRunning());
        look(NEXT, 0.5, 90 * SECOND);
        assertEquals(List.of(), seconds);
    }

    @Test
    void aLaterTakeoverDoesNotResetTheTimeOfALostBlock() {
        recoveries.daemonLost(lost(0), 19 * SECOND);
        recoveries.groupTakenOver(new JobEvent.GroupTakenOver(SPAWNER, 2, List.of(BLOCK)), 20 * SECOND);
        recoveries.blocksReassigned(new JobEvent.BlocksReassigned(NEXT, List.of(BLOCK)), 20 * SECOND);
        look(NEXT, 0.5, 21 * SECOND);
        assertEquals(List.of(2.0), seconds);
    }
}
