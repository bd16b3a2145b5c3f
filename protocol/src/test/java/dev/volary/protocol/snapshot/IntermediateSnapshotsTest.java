// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.snapshot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.protocol.config.SnapshotConfig;
import dev.volary.protocol.machine.JobEvent;
import dev.volary.protocol.machine.SpawnerAction;
import dev.volary.protocol.machine.SpawnerTurn;
import dev.volary.protocol.message.CommittedStep;
import dev.volary.protocol.message.KeptAnswer;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class IntermediateSnapshotsTest {
    private static final SnapshotConfig CONFIG = SnapshotConfig.of(1);
    private static final KeptAnswer ANSWER = new KeptAnswer(7, 5, 10, List.of());
    private static final CommittedStep STEP = new CommittedStep(3, 8, 0.5, List.of());

    private final BestAnswer best = new BestAnswer(true);
    private final BestAnswer none = new BestAnswer(false);
    private final SpawnerTurn turn = new SpawnerTurn(20);

    private static SpawnerAction saves(CommittedStep record) {
        return new SpawnerAction.SaveCheckpoint(record, OptionalLong.empty());
    }

    @Test
    void oneSnapshotIsStoredAsACheckpointAndAsTheBestAnswer() {
        IntermediateSnapshots snapshots = new IntermediateSnapshots(CONFIG.keeping(), false, best);
        assertTrue(snapshots.closed(5, 0));
        assertTrue(snapshots.stored(ANSWER, turn), "the job goes on");
        assertEquals(List.of(saves(new CommittedStep(0, 7, 5, List.of()))), turn.actions());
        assertEquals(Optional.of(ANSWER), best.newest());
        assertFalse(snapshots.isStoring());
    }

    @Test
    void aRequestedCheckpointIsStoredThoughItIsNotTheBestAnswer() {
        IntermediateSnapshots snapshots = new IntermediateSnapshots(CONFIG.keeping(), false, best);
        snapshots.closed(5, 0);
        snapshots.stored(ANSWER, turn);
        assertFalse(snapshots.closed(6, 21));
        snapshots.requestCheckpoint();
        assertTrue(snapshots.closed(6, 21));
        assertTrue(snapshots.stored(new KeptAnswer(8, 6, 11, List.of()), turn));
        assertEquals(Optional.of(ANSWER), best.newest());
    }

    @Test
    void aSnapshotThatEndsTheJobIsACheckpointTooButNoBestAnswer() {
        IntermediateSnapshots snapshots = new IntermediateSnapshots(CONFIG.keeping(), false, best);
        assertFalse(snapshots.stored(ANSWER, turn), "the job ends");
        assertEquals(List.of(saves(new CommittedStep(0, 7, 5, List.of()))), turn.actions());
        assertEquals(Optional.empty(), best.newest());
    }

    @Test
    void withTimeStepsOnlyCommittedStepsAreCheckpoints() {
        IntermediateSnapshots snapshots = new IntermediateSnapshots(CONFIG.keeping(), true, none);
        snapshots.requestCheckpoint();
        assertFalse(snapshots.closed(5, 0));
        assertFalse(snapshots.stored(ANSWER, turn));
        assertEquals(List.of(), turn.actions());
        snapshots.committed(STEP, turn);
        assertEquals(List.of(saves(STEP)), turn.actions());
    }

    @Test
    void nothingIsACheckpointWhereSnapshotsAreNotKept() {
        IntermediateSnapshots snapshots = new IntermediateSnapshots(CONFIG, true, none);
        snapshots.committed(STEP, turn);
        assertFalse(new IntermediateSnapshots(CONFIG, false, none).closed(5, 0));
        assertFalse(new IntermediateSnapshots(CONFIG, false, none).stored(ANSWER, turn));
        assertEquals(List.of(), turn.actions());
    }

    @Test
    void aFailedCheckpointIsReportedAndAFailedBestAnswerIsNot() {
        IntermediateSnapshots snapshots = new IntermediateSnapshots(CONFIG.keeping(), false, none);
        snapshots.closed(5, 0);
        snapshots.storeFailed(7, "the disk is full", turn);
        assertEquals(
                List.of(new SpawnerAction.EmitEvent(new JobEvent.CheckpointFailed(7, "the disk is full"))),
                turn.actions());
        assertFalse(snapshots.isStoring());
        IntermediateSnapshots onlyBest = new IntermediateSnapshots(CONFIG, false, best);
        assertTrue(onlyBest.closed(5, 0));
        SpawnerTurn quiet = new SpawnerTurn(20);
        onlyBest.storeFailed(7, "the disk is full", quiet);
        assertEquals(List.of(), quiet.actions());
        assertFalse(onlyBest.isStoring());
    }

    @Test
    void aSnapshotThatIsGivenUpLeavesNothingToStore() {
        IntermediateSnapshots snapshots = new IntermediateSnapshots(CONFIG.keeping(), false, best);
        assertTrue(snapshots.closed(5, 0));
        snapshots.abandon();
        assertFalse(snapshots.isStoring());
        assertFalse(snapshots.stored(ANSWER, turn));
    }
}
