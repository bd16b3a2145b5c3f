// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.placement;

import static dev.volary.protocol.Samples.chain;
import static dev.volary.protocol.Samples.daemon;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.volary.protocol.model.Member;
import dev.volary.protocol.model.WorkerId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Blocks of 10 bytes each. */
class BlockPlacementTest {
    private static final WorkerId LOST = new WorkerId(99);
    private static final Member BUSY = daemon(11);
    private static final Member BUSIER = daemon(12);
    private static final Member STANDBY = daemon(13);
    private static final Map<WorkerId, List<Integer>> LOAD =
            Map.of(BUSY.id(), List.of(0), BUSIER.id(), List.of(1, 2, 3));

    private static BlockPlacement placement(boolean isCold, Member... members) {
        return new BlockPlacement(chain(8), List.of(members), LOAD, id -> isCold);
    }

    private static Optional<Member> place(BlockPlacement placement, int block) {
        return placement.place(block, LOST, Set.of());
    }

    @Test
    void aStandbyTakesAllBlocksOfOneLostDaemon() {
        BlockPlacement placement = placement(false, BUSY, STANDBY);
        assertEquals(Optional.of(STANDBY), place(placement, 4));
        assertEquals(Optional.of(STANDBY), place(placement, 5));
        assertEquals(Optional.of(STANDBY), place(placement, 6));
        assertEquals(Optional.of(BUSY), placement.place(7, new WorkerId(98), Set.of()), "of another lost daemon");
    }

    @Test
    void aStandbyThatIsFullLeavesTheRestToOthers() {
        Member small = daemon(13, 10);
        BlockPlacement placement = placement(false, BUSY, small);
        assertEquals(Optional.of(small), place(placement, 4));
        assertEquals(Optional.of(BUSY), place(placement, 5));
    }

    @Test
    void withoutAStandbyTheLeastLoadedDaemonTakesABlock() {
        BlockPlacement placement = placement(false, BUSIER, BUSY);
        assertEquals(Optional.of(BUSY), place(placement, 4));
        assertEquals(Optional.of(BUSY), place(placement, 5));
        assertEquals(Optional.of(BUSIER), place(placement, 6), "both have three blocks, and it is listed first");
        assertEquals(Optional.of(BUSY), place(placement, 7));
    }

    @Test
    void aColdStandbyComesLast() {
        assertEquals(Optional.of(BUSY), place(placement(true, STANDBY, BUSY), 4));
        assertEquals(Optional.of(STANDBY), place(placement(true, STANDBY), 4));
    }

    @Test
    void anExcludedDaemonDoesNotGetTheBlock() {
        assertEquals(Optional.of(BUSY), placement(false, STANDBY, BUSY).place(4, LOST, Set.of(STANDBY.id())));
    }

    @Test
    void aBlockThatFitsNowhereIsNotPlaced() {
        assertEquals(Optional.empty(), place(placement(false, daemon(13, 9)), 4));
    }
}
