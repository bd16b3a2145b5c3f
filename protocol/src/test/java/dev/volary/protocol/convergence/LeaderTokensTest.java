// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.convergence;

import static dev.volary.protocol.Samples.group;
import static dev.volary.protocol.Samples.messages;
import static dev.volary.protocol.Samples.receivers;
import static dev.volary.protocol.Samples.spawner;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.protocol.machine.SpawnerTurn;
import dev.volary.protocol.message.DetectionMessage;
import dev.volary.protocol.message.TakeoverMessage;
import dev.volary.protocol.model.GroupTerm;
import dev.volary.protocol.model.Member;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Two groups; the leader asks both whether all their blocks pass the test after one iteration. */
class LeaderTokensTest {
    private static final Duration RETRY = Duration.ofMillis(200);
    private static final Member ONE = spawner(1);
    private static final Member TWO = spawner(2);
    private static final int EPOCH = 1;

    private final LeaderTokens tokens = new LeaderTokens(
            RETRY, new TakeoverMessage.Plan(1, List.of(group(ONE, 1, 0, 1), group(TWO, 1, 2, 3))), EPOCH);

    private SpawnerTurn held(long iteration) {
        SpawnerTurn turn = new SpawnerTurn(0);
        tokens.held(new DetectionMessage.TestPassed(EPOCH, iteration), turn);
        return turn;
    }

    private boolean answer(Member group, long iteration, boolean passed, SpawnerTurn turn) {
        return tokens.answered(
                new DetectionMessage.GroupTestAnswer(new GroupTerm(1, group.id()), EPOCH, iteration, passed), turn);
    }

    private boolean answer(Member group, long iteration, boolean passed) {
        return answer(group, iteration, passed, new SpawnerTurn(0));
    }

    @Test
    void allGroupsAreAskedOnceABlockHasPassed() {
        SpawnerTurn turn = held(12);
        assertEquals(List.of(ONE.id(), TWO.id()), receivers(turn));
        assertEquals(
                List.of(new DetectionMessage.TestQuery(EPOCH, 12), new DetectionMessage.TestQuery(EPOCH, 12)),
                messages(turn));
    }

    @Test
    void allBlocksHavePassedOnlyWhenAllGroupsSaySo() {
        held(12);
        assertFalse(answer(ONE, 12, true));
        assertFalse(answer(ONE, 12, true), "the same answer, received twice, counts once");
        assertTrue(answer(TWO, 12, true));
    }

    @Test
    void oneFailedTestLetsAllBlocksProceed() {
        held(12);
        answer(ONE, 12, true);
        SpawnerTurn turn = new SpawnerTurn(0);
        assertFalse(answer(TWO, 12, false, turn));
        assertEquals(
                List.of(new DetectionMessage.Proceed(EPOCH, 12), new DetectionMessage.Proceed(EPOCH, 12)),
                messages(turn));
        assertFalse(answer(ONE, 12, true));
        assertFalse(answer(TWO, 12, true), "the question is over");
    }

    @Test
    void theEarliestOfSeveralTestsIsAskedFor() {
        held(36);
        assertEquals(List.of(), messages(held(60)));
        assertEquals(
                new DetectionMessage.TestQuery(EPOCH, 12), messages(held(12)).getFirst());
        assertFalse(answer(ONE, 36, true));
        assertFalse(answer(TWO, 36, true), "answers to the later question are void");
    }

    @Test
    void onlyGroupsThatDidNotAnswerAreAskedAgainAfterTheRetryPeriod() {
        held(12);
        answer(ONE, 12, true);
        SpawnerTurn early = new SpawnerTurn(RETRY.toNanos() - 1);
        tokens.tick(early);
        assertEquals(List.of(), receivers(early));
        assertEquals(RETRY.toNanos(), early.wakeUp());
        SpawnerTurn due = new SpawnerTurn(RETRY.toNanos());
        tokens.tick(due);
        assertEquals(List.of(TWO.id()), receivers(due));
    }

    @Test
    void aRollbackMakesAnswersOfTheOldEpochVoid() {
        held(12);
        answer(ONE, 12, true);
        tokens.rolledBack(EPOCH + 1);
        assertFalse(answer(TWO, 12, true));
        assertEquals(List.of(), messages(held(12)), "a block's report of the old epoch asks for nothing");
        SpawnerTurn turn = new SpawnerTurn(0);
        tokens.held(new DetectionMessage.TestPassed(EPOCH + 1, 12), turn);
        assertEquals(
                new DetectionMessage.TestQuery(EPOCH + 1, 12), messages(turn).getFirst());
    }

    @Test
    void aRefusedSnapshotLetsTheWaitingBlocksProceed() {
        held(12);
        SpawnerTurn before = new SpawnerTurn(0);
        tokens.refused(before);
        assertEquals(List.of(), messages(before), "the groups have not agreed, so no block waits for a snapshot");
        answer(ONE, 12, true);
        answer(TWO, 12, true);
        SpawnerTurn turn = new SpawnerTurn(0);
        tokens.refused(turn);
        assertEquals(
                List.of(new DetectionMessage.Proceed(EPOCH, 12), new DetectionMessage.Proceed(EPOCH, 12)),
                messages(turn));
    }
}
