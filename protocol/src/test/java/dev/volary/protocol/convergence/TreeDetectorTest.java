// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.convergence;

import static dev.volary.protocol.Samples.chain;
import static dev.volary.protocol.Samples.daemon;
import static dev.volary.protocol.Samples.incarnation;
import static dev.volary.protocol.Samples.messages;
import static dev.volary.protocol.Samples.receivers;
import static dev.volary.protocol.Samples.serves;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.protocol.directory.BlockDirectory;
import dev.volary.protocol.machine.DaemonAction;
import dev.volary.protocol.machine.DaemonEvent;
import dev.volary.protocol.machine.DaemonTurn;
import dev.volary.protocol.message.DetectionMessage;
import dev.volary.protocol.message.DetectionMessage.Vote;
import dev.volary.protocol.message.DetectionMessage.VoteKind;
import dev.volary.protocol.message.Message;
import dev.volary.protocol.model.Member;
import dev.volary.protocol.model.WorkerId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** This daemon serves block 0 of the chain 0 - 1; another one serves block 1. */
class TreeDetectorTest {
    private static final Duration RETRY = Duration.ofMillis(200);
    private static final Optional<WorkerId> OWNER = Optional.of(new WorkerId(1));
    private static final Member SELF = daemon(10);
    private static final Member OTHER = daemon(11);
    private static final Vote PARTIAL = new Vote(0, 1, VoteKind.PARTIAL, 0);

    private final BlockDirectory directory = new BlockDirectory();
    private final TreeDetector detector = new TreeDetector(SELF.id(), chain(2), directory, RETRY);

    TreeDetectorTest() {
        directory.merge(serves(SELF, 0, incarnation(1, 1)));
        directory.merge(serves(OTHER, 1, incarnation(1, 1)));
        detector.served(1, incarnation(1, 1), new DaemonTurn(0));
    }

    private DaemonTurn open() {
        DaemonTurn turn = new DaemonTurn(0);
        detector.opened(0, incarnation(1, 1), turn);
        return turn;
    }

    private DaemonTurn elapsed(int counter, int phase, boolean passed) {
        DaemonTurn turn = new DaemonTurn(0);
        detector.elapsed(new DaemonEvent.PhaseElapsed(0, incarnation(1, counter), phase, passed), turn);
        return turn;
    }

    private DaemonTurn receive(Vote vote) {
        DaemonTurn turn = new DaemonTurn(0);
        detector.received(OTHER.id(), vote, turn);
        return turn;
    }

    private List<Message> tick(long now) {
        DaemonTurn turn = new DaemonTurn(now);
        detector.tick(OWNER, turn);
        return messages(turn);
    }

    @Test
    void anOpenBlockEntersItsFirstPhase() {
        assertEquals(List.of(new DaemonAction.BeginPhase(0, incarnation(1, 1), 0)), open().actions());
    }

    @Test
    void aVoteIsRepeatedUntilItIsAcknowledged() {
        open();
        DaemonTurn turn = elapsed(1, 0, true);
        assertEquals(List.of(OTHER.id()), receivers(turn));
        assertEquals(List.of(PARTIAL), messages(turn));
        assertEquals(List.of(PARTIAL), tick(0));
        assertEquals(List.of(), tick(RETRY.toNanos() - 1));
        assertEquals(List.of(PARTIAL), tick(RETRY.toNanos()));
        detector.received(OTHER.id(), new DetectionMessage.VoteAck(PARTIAL), new DaemonTurn(RETRY.toNanos()));
        assertEquals(List.of(), tick(2 * RETRY.toNanos()));
    }

    @Test
    void aRepeatedVoteIsAcknowledgedAgain() {
        open();
        Vote vote = new Vote(1, 0, VoteKind.PARTIAL, 0);
        assertTrue(messages(receive(vote)).contains(new DetectionMessage.VoteAck(vote)));
        assertEquals(List.of(new DetectionMessage.VoteAck(vote)), messages(receive(vote)));
    }

    @Test
    void aVoteForABlockThatIsNotServedHereIsNotAcknowledged() {
        assertEquals(List.of(), receive(new Vote(1, 0, VoteKind.PARTIAL, 0)).actions());
    }

    @Test
    void aReplacedIncarnationDoesNotVote() {
        detector.opened(0, incarnation(1, 2), new DaemonTurn(0));
        assertEquals(List.of(), messages(elapsed(1, 0, true)));
        assertEquals(List.of(PARTIAL), messages(elapsed(2, 0, true)));
    }

    @Test
    void aNewIncarnationOfANeighborBeginsTheNextNormalPhase() {
        open();
        elapsed(1, 0, true);
        DaemonTurn turn = new DaemonTurn(0);
        detector.served(1, incarnation(1, 2), turn);
        assertEquals(List.of(new Vote(0, 1, VoteKind.RESTART, 2)), messages(turn));
        assertTrue(turn.actions().contains(new DaemonAction.BeginPhase(0, incarnation(1, 1), 2)));
        DaemonTurn again = new DaemonTurn(0);
        detector.served(1, incarnation(1, 2), again);
        assertEquals(List.of(), again.actions());
    }

    @Test
    void aClaimIsRepeatedToTheOwnerUntilTheSnapshotRefusesIt() {
        TreeDetector alone = new TreeDetector(SELF.id(), chain(1), directory, RETRY);
        alone.opened(0, incarnation(1, 1), new DaemonTurn(0));
        alone.elapsed(new DaemonEvent.PhaseElapsed(0, incarnation(1, 1), 0, true), new DaemonTurn(0));
        alone.elapsed(new DaemonEvent.PhaseElapsed(0, incarnation(1, 1), 1, true), new DaemonTurn(0));
        for (long now : new long[] {0, RETRY.toNanos()}) {
            DaemonTurn turn = new DaemonTurn(now);
            alone.tick(OWNER, turn);
            assertEquals(List.of(new DetectionMessage.ConvergenceClaim(1)), messages(turn));
        }
        DaemonTurn refused = new DaemonTurn(0);
        alone.refused(refused);
        assertEquals(List.of(new DaemonAction.BeginPhase(0, incarnation(1, 1), 2)), refused.actions());
        DaemonTurn later = new DaemonTurn(3 * RETRY.toNanos());
        alone.tick(OWNER, later);
        assertEquals(List.of(), messages(later));
    }
}
