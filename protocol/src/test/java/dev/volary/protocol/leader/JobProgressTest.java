// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.leader;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.volary.protocol.message.ProgressMessage.BlockProgress;
import dev.volary.protocol.message.ProgressMessage.DaemonReport;
import dev.volary.protocol.model.GroupTerm;
import dev.volary.protocol.model.Incarnation;
import dev.volary.protocol.model.WorkerId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Six blocks in groups of three owners. */
class JobProgressTest {
    private static final int BLOCKS = 6;
    private static final WorkerId A = new WorkerId(1);
    private static final WorkerId B = new WorkerId(2);
    private static final WorkerId C = new WorkerId(3);

    private final JobProgress progress = new JobProgress();

    @Test
    void theLargestHintIsKnownOnceEveryBlockIsReported() {
        progress.update(A, List.of(report(1, block(0, 1, 5, 0.5), block(1, 1, 5, 2), block(2, 1, 5, 1))));
        assertEquals(Double.POSITIVE_INFINITY, progress.largestHint(BLOCKS, 0));
        progress.update(B, List.of(report(2, block(3, 1, 5, 0.5), block(4, 1, 0, 3), block(5, 1, 5, 1))));
        assertEquals(3, progress.largestHint(BLOCKS, 0));
        assertEquals(Double.POSITIVE_INFINITY, progress.largestHint(BLOCKS, 1));
        progress.lost(A);
        assertEquals(Double.POSITIVE_INFINITY, progress.largestHint(BLOCKS, 0));
    }

    @Test
    void theNewestIncarnationCountsIfTwoGroupsReportABlock() {
        progress.update(A, List.of(report(1, block(0, 1, 5, 9), block(1, 1, 5, 1), block(2, 1, 5, 1))));
        progress.update(B, List.of(report(2, block(3, 1, 5, 1), block(4, 1, 5, 1), block(5, 1, 5, 1))));
        progress.update(C, List.of(report(3, block(0, 2, 5, 2))));
        assertEquals(2, progress.largestHint(BLOCKS, 0));
        progress.lost(C);
        assertEquals(9, progress.largestHint(BLOCKS, 0));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void randomReportsGiveTheSameSumsAsAllReportsTogether(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < 500; i++) {
            WorkerId owner = List.of(A, B, C).get(random.nextInt(3));
            if (random.nextInt(5) == 0) {
                progress.lost(owner);
            } else {
                List<BlockProgress> blocks = new ArrayList<>();
                for (int b = 0; b < BLOCKS; b++) {
                    if (random.nextBoolean()) {
                        blocks.add(block(b, 1 + random.nextInt(3), random.nextInt(2), random.nextDouble()));
                    }
                }
                progress.update(owner, List.of(report(10 * owner.value(), blocks.toArray(BlockProgress[]::new))));
            }
            Collection<BlockProgress> newest = ProgressTable.newest(progress.all());
            double hint = newest.size() < BLOCKS
                    ? Double.POSITIVE_INFINITY
                    : newest.stream().mapToDouble(BlockProgress::hint).max().orElseThrow();
            assertEquals(hint, progress.largestHint(BLOCKS, 0));
            boolean iterate = newest.stream().filter(b -> b.iteration() > 0).count() >= BLOCKS;
            assertEquals(iterate, progress.allIterate(BLOCKS));
        }
    }

    private static DaemonReport report(long daemon, BlockProgress... blocks) {
        return new DaemonReport(new WorkerId(daemon), List.of(blocks));
    }

    private static BlockProgress block(int id, int counter, long iteration, double hint) {
        return new BlockProgress(id, new Incarnation(new GroupTerm(1, A), counter), iteration, 0, hint, 0, 0);
    }
}
