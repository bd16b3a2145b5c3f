// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

/** Two daemons: one with blocks of 10 and 30 updates, one with a block of 20. The block of 30 was measured: 0.3 s, 300 bytes. */
class MeasuredBlockTest {
    private static final JobPlan PLAN = new JobPlan(
            "job",
            60,
            Optional.empty(),
            2,
            List.of(block(0, 0, 10), block(1, 0, 30), block(2, 1, 20)),
            List.of(),
            OptionalDouble.of(7));

    private static JobPlan.BlockPlan block(int id, int daemon, double work) {
        return new JobPlan.BlockPlan(id, daemon, 1, (long) work, work, 1, 0, 0);
    }

    private static MeasuredBlock measured(boolean isSliced) {
        return new MeasuredBlock(1, 30, 1, 0.3, 10, 300, isSliced);
    }

    @Test
    void theBlockThatWorksMostIsMeasured() {
        assertEquals(1, PLAN.hardestBlock().id());
    }

    @Test
    void theSlowestDaemonCounts() {
        assertEquals(0.4, measured(false).secondsOfRound(PLAN, 1), 1e-12);
        assertEquals(0.3, measured(false).secondsOfRound(PLAN, 2), 1e-12, "a block has one thread");
        assertEquals(0.2, measured(true).secondsOfRound(PLAN, 2), 1e-12, "two threads share each block");
    }

    @Test
    void memoryIsThatOfTheFullestDaemon() {
        assertEquals(400, measured(false).heapOfFullestDaemon(PLAN));
    }

    @Test
    void moreBlocksAreAdvisedForIdleCores() {
        assertEquals(Optional.empty(), measured(false).betterBlocks(PLAN, 1));
        assertEquals(Optional.of(4), measured(false).betterBlocks(PLAN, 2));
        assertEquals(Optional.empty(), measured(true).betterBlocks(PLAN, 2));
    }
}
