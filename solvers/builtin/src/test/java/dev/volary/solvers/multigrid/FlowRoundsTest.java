// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.multigrid;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.volary.solver.InvalidProblemException;
import dev.volary.solver.Shape;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Rounds with a velocity that differs from point to point. */
final class FlowRoundsTest {

    /** Exchanges to a relative residual of 1e-8, f = 1 (docs/explanation/problems.md, "convection and diffusion"). */
    @ParameterizedTest
    @CsvSource({
        "2, 63, 1, 2, 1, 7",
        "2, 63, 0.1, 2, 1, 11",
        "2, 63, 0.01, 8, 1, 33",
        "2, 63, 0.01, 8, 2, 33",
        "2, 63, 0.00390625, 2, 1, 50",
        "3, 31, 0.01, 8, 1, 28"
    })
    void exchangesOfAVortex(int axes, int n, double diffusion, int blocks, int levels, int exchanges)
            throws InvalidProblemException {
        GridOperator operator = GridOperator.withFlow(shape(axes, n), steps(axes, n), diffusion, vortex(n));
        SequentialRounds rounds = new SequentialRounds(new GridRounds(operator, new One(), levels, 1, 2), blocks);
        assertEquals(exchanges, rounds.start().roundsTo(1e-8, 60) - 1);
    }

    /** On all levels, uneven last cells included; the columns of a sweep are the same bits up to the order of additions. */
    @ParameterizedTest
    @CsvSource({"2, 15, 1, 1, 1", "2, 12, 1, -1, 1", "3, 10, 0.5, -1, 0"})
    void aFlowThatIsTheSameEverywhereIsTheVelocity(int axes, int n, double vz, double vy, double vx) {
        double[] all = {vz, vy, vx};
        double[] velocity = axes == 3 ? all : new double[] {vy, vx};
        GridOperator uniform = new GridOperator(shape(axes, n), steps(axes, n), 0.1, velocity, 0);
        GridOperator flowing = GridOperator.withFlow(
                shape(axes, n), steps(axes, n), 0.1, (direction, plane, row, column) -> all[direction]);
        for (int l = 0; l < uniform.levels(); l++) {
            GridLevel expected = level(uniform, l);
            GridLevel found = level(flowing, l);
            assertSameResidual(expected, found);
            expected.relax(1.1);
            found.relax(1.1);
            assertArrayEquals(expected.u, found.u, 1e-12);
        }
    }

    /** On all levels, uneven last cells included. */
    @ParameterizedTest
    @CsvSource({"2, 15", "2, 12", "3, 10"})
    void aDiffusionThatIsTheSameOnAllFacesGivesTheSameBits(int axes, int n) {
        GridOperator constant = GridOperator.withFlow(shape(axes, n), steps(axes, n), 0.07, vortex(n));
        GridOperator varying = GridOperator.withCoefficients(
                shape(axes, n), steps(axes, n), (direction, plane, row, column) -> 0.07, vortex(n));
        for (int l = 0; l < constant.levels(); l++) {
            GridLevel expected = level(constant, l);
            GridLevel found = level(varying, l);
            expected.relax(1.1);
            found.relax(1.1);
            assertArrayEquals(expected.u, found.u);
        }
    }

    /** Two cells in series, 1 and 3, conduct as 2 / (1 + 1/3) = 1.5; the last coarse cell of 12 points is one fine cell. */
    @Test
    void coarseCellsConductAsTheirFacesInSeries() {
        GridOperator operator = GridOperator.withCoefficients(
                shape(2, 12),
                steps(2, 12),
                (direction, plane, row, column) -> direction == 2 && column % 2 == 0 ? 3 : 1,
                (direction, plane, row, column) -> 0);
        AxisLevel axis = operator.axis(2, 1);
        FaceDiffusion faces = new FaceDiffusion(operator, 1);
        assertEquals(1.5 * axis.left[3], faces.before(axis, 2, new int[] {1, 2, 3}), 1e-12 * axis.left[3]);
        assertEquals(1.5 * axis.right[3], faces.after(axis, 2, new int[] {1, 2, 3}), 1e-12 * axis.right[3]);
        assertEquals(axis.right[6], faces.after(axis, 2, new int[] {1, 2, 6}), 1e-12 * axis.right[6]);
    }

    private static GridLevel level(GridOperator operator, int number) {
        GridLevel level =
                new GridLevel(operator, number, LevelBox.whole(operator, number), false, false, ObstacleLayout.NONE);
        Random random = new Random(number);
        for (int i = 0; i < level.u.length; i++) {
            level.u[i] = random.nextDouble();
            level.f[i] = random.nextDouble();
        }
        return level;
    }

    private static void assertSameResidual(GridLevel expected, GridLevel found) {
        double[] first = expected.newRow();
        double[] second = new double[first.length];
        for (int z = 1; z <= expected.inside.hi(0); z++) {
            for (int y = 1; y <= expected.inside.hi(1); y++) {
                expected.residualRow(z, y, first);
                found.residualRow(z, y, second);
                assertArrayEquals(first, second, 1e-10);
            }
        }
    }

    @Test
    void aRoundAllocatesNothing() throws InvalidProblemException {
        GridOperator operator = GridOperator.withFlow(shape(2, 15), steps(2, 15), 0.1, vortex(15));
        RoundsTest.requireNoAllocation(new SequentialRounds(new GridRounds(operator, new One(), 1, 1, 2), 2).start());
    }

    private static GridOperator.Flow vortex(int n) {
        return (direction, plane, row, column) -> {
            double x = 2.0 * column / (n + 1) - 1;
            double y = 2.0 * row / (n + 1) - 1;
            return direction == 2 ? y * (1 - x * x) : direction == 1 ? -x * (1 - y * y) : 0;
        };
    }

    private static Shape shape(int axes, int n) {
        return axes == 2 ? Shape.of(n, n) : Shape.of(n, n, n);
    }

    private static double[] steps(int axes, int n) {
        double h = 1.0 / (n + 1);
        return axes == 2 ? new double[] {h, h} : new double[] {h, h, h};
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
