// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.stepping;

import static dev.volary.protocol.Samples.incarnation;
import static dev.volary.protocol.Samples.messages;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.volary.protocol.machine.SpawnerTurn;
import dev.volary.protocol.message.CommittedStep;
import dev.volary.protocol.message.Message;
import dev.volary.protocol.message.SnapshotMessage;
import dev.volary.protocol.message.StepMessage;
import dev.volary.protocol.model.RecordedBlock;
import dev.volary.protocol.model.WorkerId;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RecoveredStepsTest {
    private static final WorkerId SELF = new WorkerId(1);
    private static final WorkerId LEADER = new WorkerId(2);

    private final RecoveredSteps recovered = new RecoveredSteps();

    private static SnapshotMessage.StoredPart part(int block) {
        return new SnapshotMessage.StoredPart(new RecordedBlock(block, incarnation(1, 1), block), 77);
    }

    private static CommittedStep step(int step, long sid, SnapshotMessage.StoredPart... parts) {
        return new CommittedStep(step, sid, 0.5, List.of(parts));
    }

    private void known(CommittedStep step) {
        recovered.known(new StepMessage.KnownSteps(Optional.of(step), Optional.empty()));
    }

    private List<Message> tick(WorkerId leader) {
        SpawnerTurn turn = new SpawnerTurn(0);
        recovered.tick(SELF, Optional.of(leader), turn);
        return messages(turn);
    }

    @Test
    void thePartsThatDaemonsNameOfOneCommitAddUp() {
        known(step(1, 5, part(0)));
        known(step(1, 5, part(1)));
        assertEquals(Optional.of(step(1, 5, part(0), part(1))), recovered.newest());
    }

    @Test
    void theNewestCommitCountsInAnyOrder() {
        known(step(2, 6, part(0)));
        known(step(1, 5, part(1)));
        assertEquals(Optional.of(step(2, 6, part(0))), recovered.newest());
        known(step(2, 7, part(1)));
        assertEquals(Optional.of(step(2, 7, part(1))), recovered.newest(), "a later snapshot of the same step");
    }

    @Test
    void aPartInTheSinkCompletesTheCommitOfItsSnapshot() {
        known(step(1, 5, part(0)));
        recovered.stored(1, new SnapshotMessage.SnapshotStored(5, part(1).part(), 77));
        assertEquals(Optional.of(step(1, 5, part(0), part(1))), recovered.newest());
    }

    @Test
    void eachLeaderGetsOneReportAndAnotherWhenThereIsMore() {
        assertEquals(List.of(), tick(LEADER), "nothing is known");
        known(step(1, 5, part(0)));
        List<Message> report = List.of(new StepMessage.KnownSteps(Optional.of(step(1, 5, part(0))), Optional.empty()));
        assertEquals(report, tick(LEADER));
        assertEquals(List.of(), tick(LEADER));
        known(step(1, 5, part(0)));
        assertEquals(List.of(), tick(LEADER), "the same report again is no news");
        assertEquals(report, tick(new WorkerId(3)), "another leader");
        known(step(2, 6));
        assertEquals(1, tick(new WorkerId(3)).size());
    }

    @Test
    void theLeaderSendsNothingToItself() {
        known(step(1, 5));
        assertEquals(List.of(), tick(SELF));
    }
}
