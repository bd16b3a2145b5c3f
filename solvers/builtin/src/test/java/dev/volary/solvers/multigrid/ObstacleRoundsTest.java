// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.multigrid;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.solver.InvalidProblemException;
import dev.volary.solver.Shape;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The obstacle problem with f = −20 in rounds. Exchanges are counted to a natural residual of 1e-8 |f|
 * (docs/explanation/problems.md, "multigrid in rounds").
 */
final class ObstacleRoundsTest {
    private static final double TOLERANCE = 1e-8;

    @ParameterizedTest
    @CsvSource({"1, 1, 8", "1, 2, 8", "2, 1, 8", "8, 1, 8", "8, 2, 10"})
    void exchangesForTheMembrane(int blocks, int levels, int exchanges) throws InvalidProblemException {
        assertEquals(exchanges, rounds(63, blocks, levels, membrane()).roundsTo(TOLERANCE, 40) - 1);
    }

    @ParameterizedTest
    @CsvSource({"2, 1, 8", "8, 1, 8", "8, 2, 10"})
    void anUnevenObstacleTakesNoMore(int blocks, int levels, int exchanges) throws InvalidProblemException {
        assertEquals(exchanges, rounds(63, blocks, levels, hill(63)).roundsTo(TOLERANCE, 40) - 1);
    }

    /** The reference values of docs/explanation/problems.md, "obstacle on a cube". */
    @Test
    void theSolutionIsThatOfProjectedRichardson() throws InvalidProblemException {
        SequentialRounds rounds = rounds(31, 4, 2, membrane());
        rounds.roundsTo(1e-11, 40);
        double[] u = rounds.vector();
        assertEquals(8825, Arrays.stream(u).filter(value -> value == -0.3).count());
        assertEquals(-6438.212621690, Arrays.stream(u).sum(), 5e-9);
    }

    @Test
    void aRoundAllocatesNothing() throws InvalidProblemException {
        RoundsTest.requireNoAllocation(rounds(15, 2, 2, membrane()));
    }

    @Test
    void noValueLiesBelowTheObstacle() throws InvalidProblemException {
        GridData obstacle = hill(31);
        SequentialRounds rounds = rounds(31, 8, 1, obstacle);
        for (int round = 0; round < 3; round++) {
            rounds.round();
            double[] u = rounds.vector();
            for (int i = 0; i < u.length; i++) {
                double lower = obstacle.obstacle(i / 961 + 1, i / 31 % 31 + 1, i % 31 + 1);
                assertTrue(u[i] >= lower, () -> "below " + lower);
            }
        }
    }

    @Test
    void aBlockRestoredFromTheMapDelaysByFewRounds() throws InvalidProblemException {
        SequentialRounds rounds = rounds(63, 8, 1, membrane());
        for (int round = 0; round < 6; round++) {
            rounds.round();
        }
        rounds.replaceFromMap(3, 8);
        int exchanges = 6 + rounds.roundsTo(TOLERANCE, 40) - 1;
        assertTrue(exchanges <= 13, exchanges + " exchanges");
    }

    @Test
    void aReplacedCoarseBlockLearnsTheContactFromTheLoads() throws InvalidProblemException {
        SequentialRounds rounds = rounds(63, 8, 1, membrane());
        for (int round = 0; round < 5; round++) {
            rounds.round();
        }
        rounds.replaceCoarseBlock();
        int exchanges = 5 + rounds.roundsTo(TOLERANCE, 40) - 1;
        assertTrue(exchanges <= 13, exchanges + " exchanges");
    }

    private static GridData membrane() {
        return new Membrane((plane, row, column) -> -0.3);
    }

    /** φ = −0.3 − 0.1x + ¼ exp(−ϱ²/0.02), ϱ being the distance from (½, 0.4, 0.55). */
    private static GridData hill(int n) {
        double h = 1.0 / (n + 1);
        return new Membrane((plane, row, column) -> {
            double x = column * h - 0.5;
            double y = row * h - 0.4;
            double z = plane * h - 0.55;
            return -0.3 - 0.1 * column * h + 0.25 * Math.exp(-(x * x + y * y + z * z) / 0.02);
        });
    }

    private static SequentialRounds rounds(int n, int blocks, int levels, GridData data)
            throws InvalidProblemException {
        GridOperator operator = GridOperator.poisson(Shape.of(n, n, n));
        return SequentialRounds.of(operator, data, levels, 1.15, blocks).start();
    }

    /** f = −20 above an obstacle, zero on the boundary. */
    private record Membrane(GridLevel.PointSource lower) implements GridData {
        @Override
        public boolean hasUniformSource() {
            return true;
        }

        @Override
        public double source(int plane, int row, int column) {
            return -20;
        }

        @Override
        public boolean hasObstacle() {
            return true;
        }

        @Override
        public double obstacle(int plane, int row, int column) {
            return lower.at(plane, row, column);
        }
    }
}
