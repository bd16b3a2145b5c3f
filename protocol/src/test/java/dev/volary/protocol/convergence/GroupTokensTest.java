// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.convergence;

import static dev.volary.protocol.Samples.daemon;
import static dev.volary.protocol.Samples.incarnation;
import static dev.volary.protocol.Samples.messages;
import static dev.volary.protocol.Samples.messagesTo;
import static dev.volary.protocol.Samples.receivers;
import static dev.volary.protocol.Samples.serves;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.volary.protocol.directory.BlockDirectory;
import dev.volary.protocol.machine.SpawnerTurn;
import dev.volary.protocol.message.DetectionMessage;
import dev.volary.protocol.message.Message;
import dev.volary.protocol.model.GroupTerm;
import dev.volary.protocol.model.Member;
import dev.volary.protocol.model.WorkerId;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A group of two blocks, each on its own daemon. */
class GroupTokensTest {
    private static final Duration RETRY = Duration.ofMillis(200);
    private static final WorkerId LEADER = new WorkerId(1);
    private static final GroupTerm TERM = new GroupTerm(1, new WorkerId(2));
    private static final Member ONE = daemon(11);
    private static final Member TWO = daemon(12);
    private static final DetectionMessage.TestQuery QUERY = new DetectionMessage.TestQuery(1, 12);

    private final BlockDirectory directory = new BlockDirectory();
    private final GroupTokens tokens = new GroupTokens(RETRY, directory, TERM, List.of(0, 1));

    GroupTokensTest() {
        directory.merge(serves(ONE, 0, incarnation(2, 1)));
        directory.merge(serves(TWO, 1, incarnation(2, 1)));
    }

    private SpawnerTurn ask(DetectionMessage.TestQuery query) {
        SpawnerTurn turn = new SpawnerTurn(0);
        tokens.received(query, LEADER, turn);
        return turn;
    }

    private List<Message> answered(int epoch, int block, long iteration, boolean passed) {
        SpawnerTurn turn = new SpawnerTurn(0);
        tokens.answered(LEADER, new DetectionMessage.TestAnswer(epoch, block, iteration, passed), turn);
        return messagesTo(LEADER, turn);
    }

    private static List<Message> groupAnswer(boolean passed) {
        return List.of(new DetectionMessage.GroupTestAnswer(TERM, 1, 12, passed));
    }

    @Test
    void aQuestionGoesToAllDaemonsOfTheGroup() {
        SpawnerTurn turn = ask(QUERY);
        assertEquals(List.of(ONE.id(), TWO.id()), receivers(turn));
        assertEquals(List.of(QUERY, QUERY), messages(turn));
    }

    @Test
    void theGroupHasPassedWhenItsLastBlockHas() {
        ask(QUERY);
        assertEquals(List.of(), answered(1, 0, 12, true));
        assertEquals(List.of(), answered(1, 0, 12, true), "a repeated answer is not another block's");
        assertEquals(groupAnswer(true), answered(1, 1, 12, true));
    }

    @Test
    void theFirstBlockThatFailsAnswersForAll() {
        ask(QUERY);
        assertEquals(groupAnswer(false), answered(1, 1, 12, false));
    }

    @Test
    void answersToAnotherQuestionAreIgnored() {
        ask(QUERY);
        assertEquals(List.of(), answered(2, 0, 12, false), "another epoch");
        assertEquals(List.of(), answered(1, 0, 36, false), "another iteration");
        ask(new DetectionMessage.TestQuery(1, 36));
        assertEquals(List.of(), answered(1, 0, 36, true));
        ask(new DetectionMessage.TestQuery(1, 60));
        assertEquals(List.of(), answered(1, 1, 60, true), "block 0 passed an earlier test, not this one");
    }

    @Test
    void aRepeatedQuestionIsAnsweredAgainWithoutAskingTheDaemons() {
        ask(QUERY);
        answered(1, 0, 12, true);
        answered(1, 1, 12, true);
        SpawnerTurn again = ask(QUERY);
        assertEquals(List.of(LEADER), receivers(again));
        assertEquals(groupAnswer(true), messages(again));
    }

    @Test
    void daemonsAreAskedAgainAfterTheRetryPeriodUntilTheAnswerIsKnown() {
        ask(QUERY);
        SpawnerTurn early = new SpawnerTurn(RETRY.toNanos() - 1);
        tokens.tick(early);
        assertEquals(List.of(), messages(early));
        SpawnerTurn due = new SpawnerTurn(RETRY.toNanos());
        tokens.tick(due);
        assertEquals(List.of(QUERY, QUERY), messages(due));
        answered(1, 0, 12, false);
        SpawnerTurn later = new SpawnerTurn(10 * RETRY.toNanos());
        tokens.tick(later);
        assertEquals(List.of(), messages(later), "one failed block is the group's answer");
    }

    @Test
    void theOrderToProceedReachesAllDaemonsAndEndsTheQuestion() {
        ask(QUERY);
        SpawnerTurn turn = new SpawnerTurn(0);
        DetectionMessage.Proceed proceed = new DetectionMessage.Proceed(1, 12);
        tokens.received(proceed, LEADER, turn);
        assertEquals(List.of(ONE.id(), TWO.id()), receivers(turn));
        assertEquals(List.of(proceed, proceed), messages(turn));
        assertEquals(List.of(), answered(1, 0, 12, false));
    }
}
