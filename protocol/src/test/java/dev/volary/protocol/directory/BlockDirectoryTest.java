// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.directory;

import static dev.volary.protocol.Samples.daemon;
import static dev.volary.protocol.Samples.incarnation;
import static dev.volary.protocol.Samples.receivers;
import static dev.volary.protocol.Samples.serves;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.protocol.machine.SpawnerTurn;
import dev.volary.protocol.machine.WorkerAction;
import dev.volary.protocol.message.BlockMessage;
import dev.volary.protocol.model.GroupTerm;
import dev.volary.protocol.model.Incarnation;
import dev.volary.protocol.model.Member;
import dev.volary.protocol.model.WorkerId;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class BlockDirectoryTest {
    private static final Member ONE = daemon(11);
    private static final Member TWO = daemon(12);

    private final BlockDirectory directory = new BlockDirectory();

    @Test
    void theHigherIncarnationOfABlockWinsInAnyOrder() {
        assertTrue(directory.merge(serves(ONE, 0, incarnation(1, 1))));
        assertTrue(directory.merge(serves(TWO, 0, incarnation(1, 2))));
        assertFalse(directory.merge(serves(ONE, 0, incarnation(1, 1))), "a late message");
        assertEquals(Optional.of(TWO.id()), directory.daemonOf(0));
        assertEquals(1, directory.size());
    }

    @Test
    void theSameIncarnationIsNoNews() {
        assertTrue(directory.merge(serves(ONE, 0, incarnation(1, 1))));
        assertFalse(directory.merge(serves(ONE, 0, incarnation(1, 1))));
    }

    @Test
    void aHigherTermWinsOverAHigherCounter() {
        directory.merge(serves(ONE, 0, incarnation(1, 9)));
        assertTrue(directory.merge(serves(TWO, 0, new Incarnation(new GroupTerm(2, new WorkerId(1)), 1))));
        assertEquals(Optional.of(TWO.id()), directory.daemonOf(0));
    }

    @Test
    void anUnknownBlockHasNoDaemon() {
        assertEquals(Optional.empty(), directory.find(7));
        assertEquals(Optional.empty(), directory.daemonOf(7));
    }

    @Test
    void aMessageAboutSeveralBlocksReachesEachOfTheirDaemonsOnce() {
        directory.merge(serves(ONE, 0, incarnation(1, 1)));
        directory.merge(serves(ONE, 1, incarnation(1, 1)));
        directory.merge(serves(TWO, 2, incarnation(1, 1)));
        SpawnerTurn turn = new SpawnerTurn(0);
        directory.sendTo(List.of(0, 1, 2, 3), new BlockMessage.DirectoryUpdate(1, List.of()), turn);
        assertEquals(List.of(ONE.id(), TWO.id()), receivers(turn));
        assertEquals(new WorkerAction.AddPeer(ONE), turn.actions().getFirst(), "the daemon is reachable first");
    }
}
