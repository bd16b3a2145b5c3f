// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.multigrid;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import dev.volary.solver.InvalidProblemException;
import dev.volary.solver.Shape;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * How many exchanges rounds take to a relative residual of 1e-8 in the maximum norm, for f = 1
 * (docs/explanation/problems.md, "multigrid in rounds"). There is one exchange between two iterations, so k exchanges are
 * k + 1 iterations of each block.
 */
final class RoundsTest {
    private static final double TOLERANCE = 1e-8;

    @ParameterizedTest
    @CsvSource({
        "63, 1, 1, 7",
        "63, 8, 1, 7",
        "63, 8, 2, 9",
        "63, 8, 3, 10", //
        "127, 1, 2, 7",
        "127, 2, 2, 7",
        "127, 2, 3, 8",
        "127, 8, 1, 7",
        "127, 8, 2, 7",
        "127, 8, 3, 9",
        "127, 64, 2, 10"
    })
    void exchangesOnACube(int n, int blocks, int levels, int exchanges) throws InvalidProblemException {
        assertEquals(exchanges, exchanges(cube(n, blocks, levels)));
    }

    @ParameterizedTest
    @CsvSource({"100, 2, 1, 7", "100, 2, 2, 8", "100, 8, 2, 9", "62, 8, 1, 7"})
    void anUnevenLastCellCostsFewExchangesMore(int n, int blocks, int levels, int exchanges)
            throws InvalidProblemException {
        assertEquals(exchanges, exchanges(cube(n, blocks, levels)));
    }

    @ParameterizedTest
    @CsvSource({"511, 2, 1, 6", "511, 16, 1, 7", "511, 2, 2, 7", "511, 16, 2, 7", "511, 16, 3, 7"})
    void exchangesOnASquare(int n, int blocks, int levels, int exchanges) throws InvalidProblemException {
        assertEquals(exchanges, exchanges(square(n, blocks, levels, 0)));
    }

    /** An implicit step of the heat equation, 1/Δt being the reaction. */
    @ParameterizedTest
    @CsvSource({"10, 1, 6", "1e3, 1, 6", "1e5, 1, 6", "10, 2, 7", "1e3, 2, 7", "1e5, 2, 6"})
    void exchangesOfAnImplicitStep(double reaction, int levels, int exchanges) throws InvalidProblemException {
        assertEquals(exchanges, exchanges(square(511, 16, levels, reaction)));
    }

    @ParameterizedTest
    @CsvSource({"0, 1, 13", "0, 2, 20", "1, 1, 10", "1, 2, 9", "4, 1, 7", "4, 2, 7"})
    void lessOverlapCostsExchanges(int overlap, int levels, int exchanges) throws InvalidProblemException {
        GridOperator operator = GridOperator.poisson(Shape.of(63, 63, 63));
        GridRounds rounds = new GridRounds(operator, new One(), levels, 1.15, overlap);
        assertEquals(exchanges, exchanges(new SequentialRounds(rounds, 8).start()));
    }

    @Test
    void theBlocksSeeTheTrueResidualWithOneLevel() throws InvalidProblemException {
        SequentialRounds rounds = cube(63, 8, 1);
        for (int round = 0; round < 6; round++) {
            rounds.round();
            assertEquals(1, rounds.residual() / rounds.roundResidual(), 0.01);
        }
    }

    @Test
    void aMapThatIsTakenTwiceChangesNothing() throws InvalidProblemException {
        SequentialRounds once = cube(31, 8, 2);
        SequentialRounds twice = cube(31, 8, 2);
        for (int round = 0; round < 4; round++) {
            once.round();
            twice.round();
            for (int b = 0; b < 8; b++) {
                twice.passMap(b);
                twice.passMap(b);
            }
        }
        assertArrayEquals(once.vector(), twice.vector());
    }

    /** What a map adds is no correction: on the solution an iteration changes nothing, however often the map is applied. */
    @Test
    void aConvergedBlockStaysWhereItIs() throws InvalidProblemException {
        SequentialRounds rounds = cube(31, 8, 1);
        for (int round = 0; round < 16; round++) {
            rounds.round();
        }
        double[] before = rounds.vector();
        for (int again = 0; again < 5; again++) {
            for (int b = 0; b < 8; b++) {
                rounds.iterate(b);
            }
        }
        double[] after = rounds.vector();
        for (int i = 0; i < before.length; i++) {
            assertEquals(before[i], after[i], 1e-14);
        }
    }

    @ParameterizedTest
    @CsvSource({"2, -1", "-1, 5", "0, 0"})
    void aLostLoadOrMapOnlyDelays(int lostLoad, int lostMap) throws InvalidProblemException {
        for (int levels = 1; levels <= 2; levels++) {
            int without = exchanges(cube(63, 8, levels));
            SequentialRounds rounds = cube(63, 8, levels);
            rounds.round();
            rounds.round();
            rounds.round();
            rounds.round(lostLoad, lostMap);
            int exchanges = 4 + rounds.roundsTo(TOLERANCE, 30) - 1;
            assertTrue(
                    exchanges >= without - 1 && exchanges <= without + 3,
                    exchanges + " exchanges with a loss, " + without + " without");
        }
    }

    /** Without healing the rough error of the replacement spreads. */
    @ParameterizedTest
    @CsvSource({"1, 8", "2, 8"})
    void aBlockRestoredFromTheMapDelaysByTwoRounds(int levels, int healing) throws InvalidProblemException {
        int without = exchanges(cube(63, 8, levels));
        SequentialRounds rounds = cube(63, 8, levels);
        for (int round = 0; round < 5; round++) {
            rounds.round();
        }
        rounds.replaceFromMap(3, healing);
        int exchanges = 5 + rounds.roundsTo(TOLERANCE, 40) - 1;
        assertTrue(
                exchanges >= without && exchanges <= without + 5,
                exchanges + " exchanges with a replacement, " + without + " without");
    }

    @Test
    void aReplacedCoarseBlockNeedsTheNewestLoadsOnly() throws InvalidProblemException {
        SequentialRounds rounds = cube(63, 8, 1);
        for (int round = 0; round < 3; round++) {
            rounds.round();
        }
        rounds.replaceCoarseBlock();
        int exchanges = 3 + rounds.roundsTo(TOLERANCE, 30) - 1;
        assertTrue(exchanges <= 10, exchanges + " exchanges");
    }

    @Test
    void blocksWithoutMapsStillConverge() throws InvalidProblemException {
        GridRounds rounds = new GridRounds(GridOperator.poisson(Shape.of(7, 7, 7)), new One(), 1, 1.15, 2);
        SequentialRounds blocks = new SequentialRounds(rounds, 4);
        for (int round = 0; round < 100; round++) {
            blocks.iterateAll();
        }
        assertEquals(0, blocks.residual(), 1e-10);
    }

    @Test
    void strongConvectionFromOneSideIsStillSolvedOnOneBlock() throws InvalidProblemException {
        Shape shape = Shape.of(31, 31, 31);
        double[] step = {1.0 / 32, 1.0 / 32, 1.0 / 32};
        GridOperator operator = new GridOperator(shape, step, 1, new double[] {10, 10, 10}, 0);
        SequentialRounds rounds = new SequentialRounds(new GridRounds(operator, new One(), 1, 1, 2), 4).start();
        int exchanges = exchanges(rounds);
        assertTrue(exchanges <= 20, exchanges + " exchanges");
    }

    /** With fewer bytes than rounds, so that no round can allocate an object. */
    @Test
    void aRoundAllocatesNothing() throws InvalidProblemException {
        requireNoAllocation(cube(15, 2, 2));
    }

    static void requireNoAllocation(SequentialRounds rounds) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long self = Thread.currentThread().threadId();
        for (int i = 0; i < 200; i++) {
            rounds.round();
        }
        long before = threads.getThreadAllocatedBytes(self);
        for (int i = 0; i < 50; i++) {
            rounds.round();
        }
        long allocated = threads.getThreadAllocatedBytes(self) - before;
        assertTrue(allocated < 50, () -> allocated + " bytes in 50 rounds");
    }

    private static int exchanges(SequentialRounds rounds) {
        return rounds.roundsTo(TOLERANCE, 60) - 1;
    }

    private static SequentialRounds cube(int n, int blocks, int levels) throws InvalidProblemException {
        GridOperator operator = GridOperator.poisson(Shape.of(n, n, n));
        return SequentialRounds.of(operator, new One(), levels, 1.15, blocks).start();
    }

    private static SequentialRounds square(int n, int blocks, int levels, double reaction)
            throws InvalidProblemException {
        Shape shape = Shape.of(n, n);
        double[] step = {1.0 / (n + 1), 1.0 / (n + 1)};
        GridOperator operator = new GridOperator(shape, step, 1, new double[2], reaction);
        return SequentialRounds.of(operator, new One(), levels, 1, blocks).start();
    }

    /** f = 1. */
    private static final class One implements GridData {
        @Override
        public boolean hasUniformSource() {
            return true;
        }

        @Override
        public double source(int plane, int row, int column) {
            return 1;
        }
    }
}
