// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.convergence;

import static dev.volary.protocol.Samples.incarnation;
import static dev.volary.protocol.Samples.messages;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.volary.protocol.machine.DaemonAction;
import dev.volary.protocol.machine.DaemonEvent;
import dev.volary.protocol.machine.DaemonTurn;
import dev.volary.protocol.message.DetectionMessage;
import dev.volary.protocol.message.Message;
import dev.volary.protocol.model.Incarnation;
import dev.volary.protocol.model.WorkerId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** One daemon with one block, 3. */
class DaemonTokensTest {
    private static final Duration RETRY = Duration.ofMillis(200);
    private static final Optional<WorkerId> OWNER = Optional.of(new WorkerId(1));
    private static final int EPOCH = 2;
    private static final Incarnation SERVED = incarnation(1, EPOCH);

    private final DaemonTokens tokens = new DaemonTokens(RETRY);

    DaemonTokensTest() {
        tokens.opened(3, SERVED, new DaemonTurn(0));
    }

    private DaemonTurn tested(Incarnation incarnation, long iteration, boolean passed, boolean asked) {
        DaemonTurn turn = new DaemonTurn(0);
        tokens.tested(new DaemonEvent.StepTested(3, incarnation, iteration, passed, asked), OWNER, turn);
        return turn;
    }

    private DaemonTurn received(DetectionMessage.Command command) {
        DaemonTurn turn = new DaemonTurn(0);
        tokens.received(command, OWNER, turn);
        return turn;
    }

    private List<Message> tick(long now) {
        DaemonTurn turn = new DaemonTurn(now);
        tokens.tick(OWNER, turn);
        return messages(turn);
    }

    private static List<Message> answer(long iteration, boolean passed) {
        return List.of(new DetectionMessage.TestAnswer(EPOCH, 3, iteration, passed));
    }

    @Test
    void aBlockThatWaitsAtItsTestIsReportedOncePerRetryPeriod() {
        tested(SERVED, 12, true, false);
        List<Message> report = List.of(new DetectionMessage.TestPassed(EPOCH, 12));
        assertEquals(report, tick(0));
        assertEquals(List.of(), tick(RETRY.toNanos() - 1));
        assertEquals(report, tick(RETRY.toNanos()));
    }

    @Test
    void aBlockThatFailedItsTestIsNotReported() {
        tested(SERVED, 12, false, false);
        assertEquals(List.of(), tick(0));
    }

    @Test
    void aQuestionAboutAWaitingBlockIsAnsweredAtOnce() {
        tested(SERVED, 36, true, false);
        assertEquals(answer(36, true), messages(received(new DetectionMessage.TestQuery(EPOCH, 36))));
        assertEquals(
                answer(12, false),
                messages(received(new DetectionMessage.TestQuery(EPOCH, 12))),
                "the block is past iteration 12, so it has not passed the test there");
    }

    @Test
    void aBlockThatHasNotComeThatFarIsTestedFirst() {
        tested(SERVED, 12, true, false);
        assertEquals(
                List.of(new DaemonAction.TestStep(3, SERVED, 36)),
                received(new DetectionMessage.TestQuery(EPOCH, 36)).actions());
        assertEquals(answer(36, false), messages(tested(SERVED, 36, false, true)));
    }

    @Test
    void theOrderToProceedReleasesAWaitingBlockOnce() {
        tested(SERVED, 12, true, false);
        DetectionMessage.Proceed proceed = new DetectionMessage.Proceed(EPOCH, 12);
        assertEquals(
                List.of(new DaemonAction.ReleaseBlock(3, SERVED, 12)),
                received(proceed).actions());
        assertEquals(List.of(), received(proceed).actions());
        assertEquals(List.of(), tick(RETRY.toNanos()));
    }

    @Test
    void aBlockThatWaitsAtALaterTestIsNotReleased() {
        tested(SERVED, 36, true, false);
        assertEquals(
                List.of(), received(new DetectionMessage.Proceed(EPOCH, 12)).actions());
    }

    @Test
    void commandsOfAnotherEpochAreIgnored() {
        tested(SERVED, 12, true, false);
        assertEquals(
                List.of(),
                received(new DetectionMessage.TestQuery(EPOCH - 1, 12)).actions());
        assertEquals(
                List.of(), received(new DetectionMessage.Proceed(EPOCH - 1, 12)).actions());
    }

    @Test
    void aReplacedIncarnationHasPassedNothing() {
        assertEquals(
                List.of(), tested(incarnation(1, EPOCH - 1), 12, true, true).actions());
        assertEquals(List.of(), tick(0));
        tested(SERVED, 12, true, false);
        tokens.opened(3, incarnation(1, EPOCH + 1), new DaemonTurn(0));
        assertEquals(List.of(), tick(RETRY.toNanos()), "the new incarnation does not wait");
    }
}
