package dev.volary.protocol.rollback;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.volary.protocol.Action;
import dev.volary.protocol.Actions;
import dev.volary.protocol.GroupTerm;
import dev.volary.protocol.Incarnation;
import dev.volary.protocol.JobShape;
import dev.volary.protocol.Message;
import dev.volary.protocol.NodeId;
import dev.volary.protocol.formation.Register;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class MemberInStepTest {
    private static final Optional<NodeId> OWNER = Optional.of(new NodeId(1));
    private static final Incarnation FIRST = new Incarnation(new GroupTerm(1, new NodeId(1)), 1);
    private static final JobShape ONE_BLOCK =
            new JobShape(List.of(new JobShape.BlockShape(List.of(), List.of(), 8, 1)), 0);

    @Test
    void anOrderWaitsForAHolderInsteadOfBeingRefused() {
        MemberInStep member = new MemberInStep(ONE_BLOCK, new Register(), Duration.ofMillis(200), 0);
        member.assigned(0, FIRST);
        member.opened(0, FIRST, new Actions());
        Actions early = new Actions();
        member.checkpoint(new Message.InStep.CheckpointAt(1, 0, 24), OWNER, early);
        assertEquals(List.of(), early.list());
        Actions ready = new Actions();
        member.paced(10, ready);
        assertEquals(List.of(new Action.CheckpointBlock(0, FIRST, 0, 24)), ready.list());
    }
}
