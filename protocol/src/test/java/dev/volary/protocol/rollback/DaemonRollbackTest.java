// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.rollback;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.volary.protocol.directory.BlockDirectory;
import dev.volary.protocol.machine.DaemonAction;
import dev.volary.protocol.machine.DaemonTurn;
import dev.volary.protocol.message.RollbackMessage;
import dev.volary.protocol.model.GroupTerm;
import dev.volary.protocol.model.Incarnation;
import dev.volary.protocol.model.JobGraph;
import dev.volary.protocol.model.WorkerId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class DaemonRollbackTest {
    private static final Optional<WorkerId> OWNER = Optional.of(new WorkerId(1));
    private static final Incarnation FIRST = new Incarnation(new GroupTerm(1, new WorkerId(1)), 1);
    private static final JobGraph ONE_BLOCK =
            new JobGraph(List.of(new JobGraph.BlockShape(List.of(), List.of(), 8, 1)), 0);

    @Test
    void anOrderWaitsForAHolderInsteadOfBeingRefused() {
        DaemonRollback member = new DaemonRollback(ONE_BLOCK, new BlockDirectory(), Duration.ofMillis(200), 0);
        member.assigned(0, FIRST);
        member.opened(0, FIRST, new DaemonTurn(0));
        DaemonTurn early = new DaemonTurn(0);
        member.checkpoint(new RollbackMessage.TakeCheckpoint(1, 0, 24), OWNER, early);
        assertEquals(List.of(), early.actions());
        DaemonTurn ready = new DaemonTurn(0);
        member.setCheckpointInterval(10, ready);
        assertEquals(List.of(new DaemonAction.CheckpointBlock(0, FIRST, 0, 24)), ready.actions());
    }
}
