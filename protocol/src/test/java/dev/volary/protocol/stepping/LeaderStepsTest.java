// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.stepping;

import static dev.volary.protocol.Samples.chain;
import static dev.volary.protocol.Samples.messages;
import static dev.volary.protocol.Samples.receivers;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.protocol.machine.JobEvent;
import dev.volary.protocol.machine.SpawnerAction;
import dev.volary.protocol.machine.SpawnerTurn;
import dev.volary.protocol.message.CommittedStep;
import dev.volary.protocol.message.StepMessage;
import dev.volary.protocol.model.WorkerId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A job of three steps with two groups. */
class LeaderStepsTest {
    private static final Duration RETRY = Duration.ofMillis(200);
    private static final WorkerId ONE = new WorkerId(1);
    private static final WorkerId TWO = new WorkerId(2);

    /** A log whose newest record counts when the test says so. */
    private static final class TestLog implements StepLog {
        private Optional<CommittedStep> written = Optional.empty();
        private boolean durable;

        @Override
        public Optional<CommittedStep> newest() {
            return written;
        }

        @Override
        public void write(CommittedStep record, SpawnerTurn turn) {
            written = Optional.of(record);
        }

        @Override
        public boolean counts(CommittedStep record) {
            return durable && written.equals(Optional.of(record));
        }
    }

    private final TestLog log = new TestLog();
    private final LeaderSteps steps = new LeaderSteps(chain(2, 3), log, RETRY, 0);

    private static CommittedStep step(int step) {
        return new CommittedStep(step, 10 + step, 0.5, List.of());
    }

    private SpawnerTurn commit(int step) {
        steps.write(step(step), new SpawnerTurn(0));
        SpawnerTurn turn = new SpawnerTurn(0);
        steps.commit(turn);
        return turn;
    }

    private SpawnerTurn tick(long now) {
        SpawnerTurn turn = new SpawnerTurn(now);
        steps.tick(true, List.of(ONE, TWO), turn);
        return turn;
    }

    @Test
    void aStepIsWrittenOnceItsRecordCountsInTheLog() {
        assertFalse(steps.isWritten());
        steps.write(step(1), new SpawnerTurn(0));
        assertFalse(steps.isWritten(), "the members of the log do not have it yet");
        log.durable = true;
        assertTrue(steps.isWritten());
    }

    @Test
    void aCommitOpensTheNextStep() {
        assertEquals(1, steps.step());
        SpawnerTurn turn = commit(1);
        assertEquals(2, steps.step());
        assertFalse(steps.isLast());
        assertEquals(List.of(new SpawnerAction.EmitEvent(new JobEvent.StepCommitted(1, 3, 11, 0.5))), turn.actions());
        commit(2);
        assertTrue(steps.isLast());
    }

    @Test
    void thePartsOfACommitAreDeletedOneCommitLater() {
        assertFalse(commit(1).actions().stream().anyMatch(SpawnerAction.DeleteParts.class::isInstance));
        assertTrue(commit(2).actions().contains(new SpawnerAction.DeleteParts(11)));
    }

    @Test
    void everySecondStepIsPutTogetherForTheResultBeforeALaterOneIsDecided() {
        LeaderSteps output = new LeaderSteps(chain(2, 5), log, RETRY, 2);
        output.write(step(1), new SpawnerTurn(0));
        output.commit(new SpawnerTurn(0));
        assertFalse(output.isAssembling());
        output.write(step(2), new SpawnerTurn(0));
        SpawnerTurn turn = new SpawnerTurn(0);
        output.commit(turn);
        assertTrue(turn.actions().contains(new SpawnerAction.AssembleStep(step(2))));
        assertTrue(output.isAssembling());
        output.assembled(1);
        assertTrue(output.isAssembling(), "that was an earlier leader's");
        output.assembled(2);
        assertFalse(output.isAssembling());
    }

    @Test
    void aNewLeaderPutsTheStepInTheLogTogetherAgain() {
        log.written = Optional.of(step(2));
        LeaderSteps next = new LeaderSteps(chain(2, 5), log, RETRY, 2);
        assertTrue(next.resume(new SpawnerTurn(0)));
        SpawnerTurn turn = new SpawnerTurn(0);
        next.commit(turn);
        assertTrue(turn.actions().contains(new SpawnerAction.AssembleStep(step(2))));
    }

    @Test
    void theCommitIsRepeatedToGroupsUntilTheyAreInTheNextStep() {
        commit(1);
        assertEquals(List.of(ONE, TWO), receivers(tick(0)));
        steps.reached(ONE, 2);
        assertEquals(List.of(), receivers(tick(RETRY.toNanos() - 1)));
        SpawnerTurn due = tick(RETRY.toNanos());
        assertEquals(List.of(TWO), receivers(due));
        assertEquals(List.of(new StepMessage.StepCommit(step(1))), messages(due));
        steps.reached(TWO, 2);
        assertEquals(List.of(), receivers(tick(2 * RETRY.toNanos())));
    }

    @Test
    void aGroupThatReturnsToAnEarlierStepReceivesTheCommitAgain() {
        commit(1);
        steps.reached(ONE, 2);
        steps.reached(TWO, 2);
        steps.reached(TWO, 1);
        assertEquals(List.of(TWO), receivers(tick(0)));
    }

    @Test
    void allGroupsReceiveTheCommitAgainWhenGroupsChangeHands() {
        commit(1);
        steps.reached(ONE, 2);
        steps.reached(TWO, 2);
        steps.regrouped(1);
        assertEquals(List.of(ONE, TWO), receivers(tick(1)));
    }

    @Test
    void aNewLeaderResumesWithTheStepInTheLog() {
        assertFalse(steps.resume(new SpawnerTurn(0)));
        log.written = Optional.of(step(2));
        LeaderSteps next = new LeaderSteps(chain(2, 3), log, RETRY, 0);
        assertTrue(next.resume(new SpawnerTurn(0)));
        assertEquals(2, next.step());
        next.commit(new SpawnerTurn(0));
        assertEquals(3, next.step());
    }

    @Test
    void aStationaryProblemHasNoSteps() {
        LeaderSteps stationary = new LeaderSteps(chain(2), log, RETRY, 0);
        assertEquals(0, stationary.step());
        assertFalse(stationary.hasTimeSteps());
        assertTrue(stationary.isLast());
    }
}
