// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.daemon;

import static dev.volary.protocol.Samples.chain;
import static dev.volary.protocol.daemon.DaemonParts.FIRST;
import static dev.volary.protocol.daemon.DaemonParts.SECOND;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.volary.protocol.config.BackupPolicy;
import dev.volary.protocol.machine.DaemonAction;
import dev.volary.protocol.machine.DaemonTurn;
import dev.volary.protocol.message.ProgressMessage.BlockProgress;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Blocks 0 to 3 iterate on this daemon, and are backed up every ten iterations. */
class BackupTurnsTest {
    private final DaemonParts parts =
            new DaemonParts(chain(4), DaemonParts.ASYNCHRONOUS.withBackups(new BackupPolicy(10, 1)));
    private final BlockLifecycle blocks = parts.served.lifecycle();

    BackupTurnsTest() {
        for (int block = 0; block < 4; block++) {
            parts.open(block, FIRST, 0);
        }
        blocks.tick(Optional.empty(), new DaemonTurn(0));
    }

    /** The blocks that are asked for a copy once all have come so far. */
    private List<Integer> sampled(long... iterations) {
        DaemonTurn turn = new DaemonTurn(0);
        blocks.sampled(
                IntStream.range(0, iterations.length)
                        .mapToObj(block -> progress(block, iterations[block]))
                        .toList(),
                Set.of(),
                turn);
        return requested(turn);
    }

    private static BlockProgress progress(int block, long iterations) {
        return new BlockProgress(block, FIRST, iterations, iterations, 1, 0, 0, 0, Optional.empty());
    }

    private static List<Integer> requested(DaemonTurn turn) {
        return turn.actions().stream()
                .filter(DaemonAction.BackUp.class::isInstance)
                .map(action -> ((DaemonAction.BackUp) action).block())
                .toList();
    }

    private List<Integer> backedUp(int block, long iteration) {
        DaemonTurn turn = new DaemonTurn(0);
        blocks.backedUp(block, FIRST, iteration, turn);
        return requested(turn);
    }

    private List<Integer> failed(int block) {
        DaemonTurn turn = new DaemonTurn(0);
        blocks.backupBroken(block, FIRST, turn);
        return requested(turn);
    }

    @Test
    void twoAreOnTheirWayAtATimeThoseThatAreFurthestFromTheirBackupsFirst() {
        assertEquals(List.of(3, 1), sampled(10, 12, 11, 15));
        assertEquals(List.of(), sampled(30, 32, 31, 35));
        assertEquals(List.of(2), backedUp(3, 15));
        assertEquals(List.of(0), backedUp(2, 31));
        assertEquals(List.of(3), backedUp(0, 30));
    }

    @Test
    void aBlockThatIsTakenAwayMakesRoom() {
        assertEquals(List.of(0, 1), sampled(10, 10, 10, 10));
        parts.assign(0, SECOND);
        assertEquals(List.of(2), sampled(10, 10, 10, 10));
    }

    @Test
    void othersHaveTheirTurnBeforeAFailedOneIsTriedAgain() {
        assertEquals(List.of(0, 1), sampled(20, 20, 10, 10));
        assertEquals(List.of(2), failed(0));
        assertEquals(List.of(3), failed(1));
        assertEquals(List.of(), failed(2));
        assertEquals(List.of(0), sampled(20, 20, 10, 10));
    }

    @Test
    void aDaemonThatLeavesBacksUpAllOfThemInTurn() {
        DaemonTurn turn = new DaemonTurn(0);
        blocks.leave(turn);
        assertEquals(
                Arrays.asList(new DaemonAction.BackUp(0, FIRST, 0, true), new DaemonAction.BackUp(1, FIRST, 0, true)),
                turn.actions());
        assertEquals(List.of(2), backedUp(0, 5));
        assertEquals(List.of(3), failed(1));
        assertEquals(List.of(2, 3), blocks.busy());
    }
}
