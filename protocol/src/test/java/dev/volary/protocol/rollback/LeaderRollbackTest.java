// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.rollback;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.protocol.machine.SpawnerTurn;
import dev.volary.protocol.machine.WorkerAction;
import dev.volary.protocol.message.RollbackMessage;
import dev.volary.protocol.message.TakeoverMessage;
import dev.volary.protocol.model.Address;
import dev.volary.protocol.model.CheckpointGeneration;
import dev.volary.protocol.model.GroupTerm;
import dev.volary.protocol.model.Member;
import dev.volary.protocol.model.WorkerId;
import dev.volary.protocol.model.WorkerRole;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LeaderRollbackTest {
    private static final GroupTerm A = new GroupTerm(1, new WorkerId(1));
    private static final GroupTerm B = new GroupTerm(1, new WorkerId(2));
    private static final CheckpointGeneration OLD = new CheckpointGeneration(0, 1, 240);
    private static final CheckpointGeneration NEW = new CheckpointGeneration(1, 1, 480);

    private final LeaderRollback leader =
            new LeaderRollback(Duration.ofMillis(200), new TakeoverMessage.Plan(1, List.of(group(A, 0), group(B, 1))));
    private long now;

    private static TakeoverMessage.GroupPlan group(GroupTerm term, int block) {
        Member spawner = new Member(
                term.owner(),
                WorkerRole.SPAWNER,
                "spawner-" + block,
                new Address("localhost", 1),
                "localhost",
                "zone",
                1,
                1 << 20);
        return new TakeoverMessage.GroupPlan(term, spawner, List.of(block), 1);
    }

    private RollbackMessage.TakeCheckpoint order(long iteration) {
        SpawnerTurn turn = new SpawnerTurn(++now);
        leader.checkpointDue(new RollbackMessage.CheckpointDue(1, iteration, 100), turn);
        return sent(turn, RollbackMessage.TakeCheckpoint.class);
    }

    private static <M> M sent(SpawnerTurn turn, Class<M> kind) {
        return turn.actions().stream()
                .filter(WorkerAction.Send.class::isInstance)
                .map(action -> ((WorkerAction.Send) action).message())
                .filter(kind::isInstance)
                .map(kind::cast)
                .findFirst()
                .orElseThrow();
    }

    private void answer(GroupTerm group, long iteration, boolean stored) {
        leader.checkpointed(new RollbackMessage.GroupCheckpoint(group, 1, iteration, stored));
    }

    private Optional<CheckpointGeneration> chosen(List<CheckpointGeneration> ofA, List<CheckpointGeneration> ofB) {
        assertTrue(leader.requested(new RollbackMessage.RollbackRequest(A, 1), new SpawnerTurn(++now)));
        SpawnerTurn turn = new SpawnerTurn(0);
        leader.found(new RollbackMessage.GroupGenerations(A, 2, ofA), turn);
        assertEquals(List.of(), turn.actions());
        leader.found(new RollbackMessage.GroupGenerations(B, 2, ofB), turn);
        return sent(turn, RollbackMessage.ResumeFrom.class).from();
    }

    @Test
    void theSlotChangesOnlyWhenAllGroupsAreDurable() {
        RollbackMessage.TakeCheckpoint first = order(100);
        answer(A, first.iteration(), true);
        answer(B, first.iteration(), false);
        RollbackMessage.TakeCheckpoint again = order(200);
        assertEquals(first.slot(), again.slot());
        answer(A, again.iteration(), true);
        answer(B, again.iteration(), true);
        assertEquals(1 - again.slot(), order(300).slot());
    }

    @Test
    void anOrderThatCameTooLateIsFollowedByOneFartherAhead() {
        long first = order(1000).iteration();
        answer(A, first, false);
        assertTrue(order(1000).iteration() > first);
    }

    @Test
    void allRollBackToTheNewestCommonCheckpoint() {
        assertEquals(Optional.of(OLD), chosen(List.of(OLD, NEW), List.of(OLD)));
    }

    @Test
    void withoutACommonCheckpointAllBeginFromTheStart() {
        assertEquals(Optional.empty(), chosen(List.of(NEW), List.of(OLD)));
    }

    @Test
    void aLossOfAnEarlierEpochCausesNoOtherRollback() {
        RollbackMessage.RollbackRequest due = new RollbackMessage.RollbackRequest(A, 1);
        assertTrue(leader.requested(due, new SpawnerTurn(++now)));
        assertFalse(leader.requested(due, new SpawnerTurn(++now)));
        assertEquals(2, leader.epoch());
    }
}
