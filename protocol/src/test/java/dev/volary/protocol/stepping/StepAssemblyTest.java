// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.stepping;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.protocol.machine.JobEvent;
import dev.volary.protocol.machine.SpawnerAction;
import dev.volary.protocol.machine.SpawnerTurn;
import dev.volary.protocol.message.CommittedStep;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class StepAssemblyTest {
    private static final CommittedStep STEP = new CommittedStep(4, 11, 0.5, List.of());
    private static final String DOWN = "the bucket does not answer";

    private final StepAssembly assembly = new StepAssembly();

    private List<SpawnerAction> tick(Duration at) {
        SpawnerTurn turn = new SpawnerTurn(at.toNanos());
        assembly.tick(turn);
        return turn.actions();
    }

    private boolean fail(int step, Duration at) {
        return assembly.failed(step, DOWN, new SpawnerTurn(at.toNanos()));
    }

    private void begin() {
        assembly.begin(STEP, new SpawnerTurn(0));
    }

    @Test
    void aStepIsOpenUntilItIsDurable() {
        assertFalse(assembly.isOpen());
        SpawnerTurn turn = new SpawnerTurn(0);
        assembly.begin(STEP, turn);
        assertEquals(List.of(new SpawnerAction.AssembleStep(STEP)), turn.actions());
        assembly.done(2);
        assertTrue(assembly.isOpen(), "that was an earlier step");
        assembly.done(4);
        assertFalse(assembly.isOpen());
    }

    @Test
    void itIsNotAskedForTwiceBeforeAnAnswer() {
        begin();
        assertEquals(List.of(), tick(Duration.ofMinutes(1)));
    }

    @Test
    void afterAFailureItIsTriedAgainWithGrowingPauses() {
        begin();
        assertFalse(fail(4, Duration.ZERO));
        assertEquals(List.of(), tick(Duration.ofMillis(999)));
        assertEquals(List.of(new SpawnerAction.AssembleStep(STEP)), tick(Duration.ofSeconds(1)));
        assertFalse(fail(4, Duration.ofSeconds(1)));
        assertEquals(List.of(), tick(Duration.ofMillis(2999)));
        assertEquals(List.of(new SpawnerAction.AssembleStep(STEP)), tick(Duration.ofSeconds(3)));
        assertTrue(assembly.isOpen());
    }

    @Test
    void afterFifteenMinutesThatHasTakenTooLong() {
        begin();
        assertFalse(fail(4, Duration.ofMinutes(15).minusNanos(1)));
        SpawnerTurn last = new SpawnerTurn(Duration.ofMinutes(15).toNanos());
        assertTrue(assembly.failed(4, DOWN, last));
        assertEquals(
                List.of(new SpawnerAction.EmitEvent(new JobEvent.PublicationFailed("time step 4: " + DOWN, true))),
                last.actions());
    }

    @Test
    void aFailureOfAnotherStepIsOld() {
        begin();
        assertFalse(fail(2, Duration.ofMinutes(20)));
        assertEquals(List.of(), tick(Duration.ofMinutes(21)));
    }
}
