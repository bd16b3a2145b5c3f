// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.stepping;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.protocol.machine.DaemonAction;
import dev.volary.protocol.machine.DaemonEvent;
import dev.volary.protocol.machine.DaemonTurn;
import dev.volary.protocol.message.CommittedStep;
import dev.volary.protocol.message.SnapshotMessage;
import dev.volary.protocol.model.GroupTerm;
import dev.volary.protocol.model.Incarnation;
import dev.volary.protocol.model.JobGraph;
import dev.volary.protocol.model.RecordedBlock;
import dev.volary.protocol.model.WorkerId;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Two blocks that read from each other, one of them here. */
class DaemonStepsTest {
    private static final int HERE = 0;
    private static final Incarnation FIRST = new Incarnation(new GroupTerm(1, new WorkerId(1)), 1);
    private static final Incarnation SECOND = new Incarnation(new GroupTerm(1, new WorkerId(1)), 2);
    private static final int PATIENCE = 20;

    private final DaemonSteps steps = new DaemonSteps(new JobGraph(List.of(block(1), block(0)), 3));

    @Test
    void aBlockThatIsOpenedFromAnOlderStateTakesTheNewestCommit() {
        steps.committed(record(2), new DaemonTurn(0));
        assertEquals(List.of(new DaemonAction.CommitStep(HERE, FIRST, record(2))), opened(FIRST, 1));
    }

    @Test
    void aBlockThatIsBeyondTheCommitKeepsWhatItHas() {
        steps.committed(record(1), new DaemonTurn(0));
        assertEquals(List.of(), opened(FIRST, 2));
    }

    @Test
    void missingValuesAreAskedForAgainAndInTheEndTheStateIsLost() {
        opened(FIRST, 1);
        for (int attempt = 1; attempt < PATIENCE; attempt++) {
            assertEquals(List.of(new DaemonAction.CommitStep(HERE, FIRST, record(1))), committed(1));
            assertEquals(Optional.empty(), lost(FIRST, 1));
        }
        assertEquals(1, committed(1).size());
        String reason = lost(FIRST, 1).orElseThrow();
        assertTrue(reason.startsWith("StateLost: block 0 needs the result of step 1"), reason);
        assertTrue(reason.contains("no such file; run the job again"), reason);
    }

    @Test
    void aCommitAfterFailedAttemptsResetsTheirCount() {
        opened(FIRST, 1);
        for (int attempt = 1; attempt < PATIENCE; attempt++) {
            committed(1);
            lost(FIRST, 1);
        }
        committed(1);
        assertTrue(steps.taken(new DaemonEvent.StepCommitted(HERE, FIRST, 2), new DaemonTurn(0)));
        committed(2);
        assertEquals(Optional.empty(), lost(FIRST, 2));
    }

    @Test
    void failuresOfAnotherIncarnationDoNotCount() {
        opened(SECOND, 1);
        committed(1);
        for (int attempt = 0; attempt <= PATIENCE; attempt++) {
            assertEquals(Optional.empty(), lost(FIRST, 1));
        }
    }

    @Test
    void theStateIsNotLostWhileTheBackupOfTheBlockIsSearchedFor() {
        opened(FIRST, 1);
        for (int attempt = 0; attempt <= PATIENCE; attempt++) {
            assertEquals(1, committed(1).size());
            assertEquals(Optional.empty(), lost(FIRST, 1, true));
        }
    }

    @Test
    void aBlockThatWentToALaterStepTakesNoOlderCommit() {
        opened(FIRST, 1);
        committed(1);
        assertTrue(steps.taken(new DaemonEvent.StepCommitted(HERE, FIRST, 3), new DaemonTurn(0)));
        assertEquals(Optional.empty(), lost(FIRST, 1));
        assertEquals(List.of(), committed(2));
        assertEquals(1, committed(3).size());
    }

    private List<DaemonAction> opened(Incarnation incarnation, int step) {
        DaemonTurn turn = new DaemonTurn(0);
        steps.opened(HERE, incarnation, step, turn);
        return turn.actions();
    }

    private List<DaemonAction> committed(int step) {
        DaemonTurn turn = new DaemonTurn(0);
        steps.committed(record(step), turn);
        return turn.actions();
    }

    private Optional<String> lost(Incarnation incarnation, int step) {
        return lost(incarnation, step, false);
    }

    private Optional<String> lost(Incarnation incarnation, int step, boolean isSearched) {
        return steps.lost(new DaemonEvent.StepCommitFailed(HERE, incarnation, step, isSearched, "no such file"));
    }

    private static CommittedStep record(int step) {
        return new CommittedStep(step, step, 1e-9, List.of(part(0), part(1)));
    }

    private static SnapshotMessage.StoredPart part(int block) {
        return new SnapshotMessage.StoredPart(new RecordedBlock(block, FIRST, 7), 9);
    }

    private static JobGraph.BlockShape block(int other) {
        return new JobGraph.BlockShape(List.of(other), List.of(other), 8, 1);
    }
}
