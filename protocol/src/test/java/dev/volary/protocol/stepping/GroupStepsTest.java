// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.stepping;

import static dev.volary.protocol.Samples.chain;
import static dev.volary.protocol.Samples.daemon;
import static dev.volary.protocol.Samples.incarnation;
import static dev.volary.protocol.Samples.messages;
import static dev.volary.protocol.Samples.receivers;
import static dev.volary.protocol.Samples.serves;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.protocol.directory.BlockDirectory;
import dev.volary.protocol.machine.SpawnerTurn;
import dev.volary.protocol.message.CommittedStep;
import dev.volary.protocol.message.ProgressMessage;
import dev.volary.protocol.message.SnapshotMessage;
import dev.volary.protocol.message.StepMessage;
import dev.volary.protocol.model.Member;
import dev.volary.protocol.model.RecordedBlock;
import dev.volary.protocol.model.WorkerId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The group has blocks 0 and 1 of the chain 0 - 1 - 2, each on its own daemon; a hint of 1 is calm. */
class GroupStepsTest {
    private static final Duration RETRY = Duration.ofMillis(200);
    private static final Member ONE = daemon(11);
    private static final Member TWO = daemon(12);

    private final BlockDirectory directory = new BlockDirectory();
    private final GroupSteps group = new GroupSteps(chain(3, 5), directory, RETRY, 1, List.of(0, 1));

    GroupStepsTest() {
        directory.merge(serves(ONE, 0, incarnation(1, 1)));
        directory.merge(serves(TWO, 1, incarnation(1, 1)));
    }

    private static SnapshotMessage.StoredPart part(int block) {
        return new SnapshotMessage.StoredPart(new RecordedBlock(block, incarnation(1, 1), block), 77);
    }

    private static CommittedStep step(int step) {
        return new CommittedStep(step, step, 0.5, List.of(part(0), part(1), part(2)));
    }

    private SpawnerTurn commit(int step) {
        SpawnerTurn turn = new SpawnerTurn(0);
        group.commit(step(step), turn);
        return turn;
    }

    private boolean progress(int block, int counter, int step, double hint) {
        return progress(group, block, counter, step, hint);
    }

    private static boolean progress(GroupSteps group, int block, int counter, int step, double hint) {
        return group.progress(new ProgressMessage.DaemonReport(
                new WorkerId(11 + block),
                List.of(new ProgressMessage.BlockProgress(
                        block, incarnation(1, counter), 1, 1, hint, 0, 0, step, Optional.empty()))));
    }

    private List<WorkerId> receiversAt(long now) {
        SpawnerTurn turn = new SpawnerTurn(now);
        group.tick(turn);
        return receivers(turn);
    }

    @Test
    void aCommitReachesEachDaemonWithThePartsOfItsBlocksAndTheirSources() {
        SpawnerTurn turn = commit(1);
        assertEquals(List.of(ONE.id(), TWO.id()), receivers(turn));
        assertEquals(
                new StepMessage.StepCommit(step(1).of(List.of(0, 1))),
                messages(turn).getFirst());
        assertEquals(new StepMessage.StepCommit(step(1)), messages(turn).getLast());
    }

    @Test
    void onlyDaemonsWithABlockInTheOldStepReceiveTheCommitAgain() {
        commit(1);
        progress(0, 1, 2, 9);
        progress(1, 1, 1, 9);
        assertEquals(List.of(), receiversAt(RETRY.toNanos() - 1));
        assertEquals(List.of(TWO.id()), receiversAt(RETRY.toNanos()));
        progress(1, 1, 2, 9);
        assertEquals(List.of(), receiversAt(2 * RETRY.toNanos()));
    }

    @Test
    void aRepeatedOrOlderCommitIsIgnored() {
        commit(2);
        assertEquals(List.of(), messages(commit(2)));
        assertEquals(List.of(), messages(commit(1)));
    }

    @Test
    void theReportOfAReplacedIncarnationDoesNotCount() {
        commit(1);
        directory.merge(serves(ONE, 0, incarnation(1, 2)));
        progress(0, 1, 2, 9);
        progress(1, 1, 2, 9);
        assertEquals(List.of(ONE.id()), receiversAt(RETRY.toNanos()));
    }

    @Test
    void aReassignedBlockReceivesTheCommitAgainAtOnce() {
        commit(1);
        progress(0, 1, 2, 9);
        progress(1, 1, 2, 9);
        SpawnerTurn turn = new SpawnerTurn(1);
        group.replaced(List.of(1), turn);
        assertEquals(List.of(TWO.id()), receivers(turn));
    }

    @Test
    void theLeaderGetsAReportOncePerStepWhenAllHintsAreSmall() {
        commit(1);
        assertFalse(progress(0, 1, 2, 1));
        assertFalse(progress(1, 1, 2, 1.1));
        assertFalse(progress(1, 1, 1, 0.5), "a small hint of the old step");
        assertTrue(progress(1, 1, 2, 0.5));
        assertFalse(progress(1, 1, 2, 0.5));
        commit(2);
        assertFalse(progress(0, 1, 3, 1));
        assertTrue(progress(1, 1, 3, 1));
    }

    @Test
    void withoutTimeStepsTheLeaderGetsAReportWheneverAllHintsBecomeSmall() {
        GroupSteps steady = new GroupSteps(chain(3), directory, RETRY, 1, List.of(0, 1));
        assertFalse(progress(steady, 0, 1, 0, 1));
        assertTrue(progress(steady, 1, 1, 0, 1));
        assertFalse(progress(steady, 1, 1, 0, 0.5), "the leader knows");
        assertFalse(progress(steady, 1, 1, 0, 2));
        assertTrue(progress(steady, 1, 1, 0, 1));
    }
}
