// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.convergence;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.protocol.message.DetectionMessage.Vote;
import dev.volary.protocol.message.DetectionMessage.VoteKind;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Block 1 in the middle of the tree 0 - 1 - 2. */
class VerificationTreeNodeTest {
    private final VerificationTreeNode middle = new VerificationTreeNode(1, List.of(0, 2));

    private boolean receive(int from, VoteKind kind, int phase) {
        return middle.received(new Vote(from, 1, kind, phase));
    }

    private static Vote says(int to, VoteKind kind, int phase) {
        return new Vote(1, to, kind, phase);
    }

    /** The middle block and its neighbors have converged, so the middle is elected and phase 1 verifies. */
    private void elect() {
        receive(0, VoteKind.PARTIAL, 0);
        receive(2, VoteKind.PARTIAL, 0);
        middle.elapsed(0, true);
        middle.drain();
    }

    @Test
    void aConvergedBlockVotesToTheOneNeighborWithoutAVote() {
        middle.elapsed(0, true);
        assertEquals(List.of(), middle.drain(), "two neighbors are missing");
        receive(0, VoteKind.PARTIAL, 0);
        assertEquals(List.of(says(2, VoteKind.PARTIAL, 0)), middle.drain());
        receive(0, VoteKind.PARTIAL, 0);
        assertEquals(List.of(), middle.drain(), "a repeated vote causes no second one");
    }

    @Test
    void aBlockThatHasNotConvergedDoesNotVote() {
        middle.elapsed(0, false);
        receive(0, VoteKind.PARTIAL, 0);
        assertEquals(List.of(), middle.drain());
    }

    @Test
    void theBlockWithTheVotesOfAllNeighborsLetsThemVerify() {
        receive(0, VoteKind.PARTIAL, 0);
        receive(2, VoteKind.PARTIAL, 0);
        assertEquals(0, middle.phase(), "it has not converged itself");
        middle.elapsed(0, true);
        assertEquals(1, middle.phase());
        assertEquals(List.of(says(0, VoteKind.VERIFY, 1), says(2, VoteKind.VERIFY, 1)), middle.drain());
    }

    @Test
    void ofTwoBlocksThatVoteForEachOtherTheLargerIsElected() {
        VerificationTreeNode small = new VerificationTreeNode(4, List.of(5));
        VerificationTreeNode large = new VerificationTreeNode(5, List.of(4));
        small.elapsed(0, true);
        large.elapsed(0, true);
        small.received(new Vote(5, 4, VoteKind.PARTIAL, 0));
        large.received(new Vote(4, 5, VoteKind.PARTIAL, 0));
        assertEquals(0, small.phase());
        assertEquals(1, large.phase());
    }

    @Test
    void theElectedBlockClaimsOnlyWhenAllHavePassedTheVerification() {
        elect();
        middle.elapsed(1, true);
        receive(0, VoteKind.PASSED, 1);
        assertFalse(middle.claims());
        receive(2, VoteKind.PASSED, 1);
        assertTrue(middle.claims());
    }

    @Test
    void oneFailedVerificationBeginsTheNextNormalPhase() {
        elect();
        middle.elapsed(1, true);
        receive(0, VoteKind.FAILED, 1);
        assertFalse(middle.claims());
        assertEquals(2, middle.phase());
        assertEquals(List.of(says(0, VoteKind.RESTART, 2), says(2, VoteKind.RESTART, 2)), middle.drain());
    }

    @Test
    void aBlockThatIsAskedToVerifyAnswersForItsPartOfTheTree() {
        middle.elapsed(0, true);
        receive(0, VoteKind.PARTIAL, 0);
        middle.drain();
        receive(2, VoteKind.VERIFY, 1);
        assertEquals(List.of(says(0, VoteKind.VERIFY, 1)), middle.drain());
        middle.elapsed(1, true);
        assertEquals(List.of(), middle.drain(), "block 0 has not answered");
        receive(0, VoteKind.PASSED, 1);
        assertEquals(List.of(says(2, VoteKind.PASSED, 1)), middle.drain());
    }

    @Test
    void aMessageOfAnEarlierPhaseIsVoidAndOneOfALaterPhaseMustBeRepeated() {
        middle.restart();
        middle.drain();
        middle.elapsed(2, true);
        assertTrue(receive(0, VoteKind.PARTIAL, 0), "taken, so that it is not repeated");
        assertEquals(List.of(), middle.drain(), "but it does not count");
        assertFalse(receive(0, VoteKind.PARTIAL, 4));
    }

    @Test
    void aRestartSpreadsOnceAndNotBackToItsSender() {
        assertTrue(receive(0, VoteKind.RESTART, 2));
        assertEquals(List.of(says(2, VoteKind.RESTART, 2)), middle.drain());
        assertTrue(receive(0, VoteKind.RESTART, 2));
        assertEquals(List.of(), middle.drain());
        assertEquals(2, middle.phase());
    }
}
