// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.multigrid;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.volary.solver.InvalidProblemException;
import dev.volary.solver.Shape;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Rounds with boundary values that are not zero. */
final class BoundaryRoundsTest {

    /** The scheme reproduces x³ − 3xy² exactly (docs/explanation/problems.md, "heat on a square"). */
    @ParameterizedTest
    @CsvSource({"63, 1, 1", "63, 4, 1", "63, 4, 2", "50, 6, 1"})
    void harmonicPolynomialsAreReproducedExactly(int n, int blocks, int levels) throws InvalidProblemException {
        double h = 1.0 / (n + 1);
        SequentialRounds rounds = square(n, blocks, levels, (row, column) -> cubic(column * h, row * h));
        for (int round = 0; round < 16; round++) {
            rounds.round();
        }
        double[] u = rounds.vector();
        for (int i = 0; i < u.length; i++) {
            assertEquals(cubic((i % n + 1) * h, (i / n + 1) * h), u[i], 1e-12);
        }
    }

    private static double cubic(double x, double y) {
        return x * x * x - 3 * x * y * y;
    }

    /** The value of the series at (½, ½) is ¼ by symmetry, for the scheme too. */
    @Test
    void aJumpOfTheBoundaryValuesCostsNoRounds() throws InvalidProblemException {
        int n = 63;
        SequentialRounds rounds = square(n, 4, 1, (row, column) -> row == n + 1 ? 1 : 0);
        double inverseSquare = (n + 1.0) * (n + 1.0);
        assertEquals(5, rounds.roundsWithin(1e-8 * inverseSquare, 20) - 1);
        assertEquals(0.25, rounds.vector()[n * n / 2], 1e-8);
    }

    private static SequentialRounds square(int n, int blocks, int levels, Values boundary)
            throws InvalidProblemException {
        GridOperator operator = GridOperator.poisson(Shape.of(n, n));
        return SequentialRounds.of(operator, new Heat(boundary), levels, 1, blocks)
                .start();
    }

    @FunctionalInterface
    private interface Values {
        double at(int row, int column);
    }

    private record Heat(Values values) implements GridData {
        @Override
        public boolean hasUniformSource() {
            return true;
        }

        @Override
        public double source(int plane, int row, int column) {
            return 0;
        }

        @Override
        public double boundary(int plane, int row, int column) {
            return values.at(row, column);
        }
    }

    /** The reference values of docs/explanation/problems.md, "obstacle on a cube". */
    @Test
    void theBallHasTheReferenceSolution() throws InvalidProblemException {
        int n = 31;
        double h = 4.0 / (n + 1);
        double[] step = {h, h, h};
        GridOperator operator = new GridOperator(Shape.of(n, n, n), step, 1, new double[3], 0);
        SequentialRounds rounds =
                SequentialRounds.of(operator, new Ball(h), 1, 1.15, 4).start();
        rounds.roundsWithin(1e-11, 40);
        double[] u = rounds.vector();
        assertEquals(2358.3974949, Arrays.stream(u).sum(), 5e-8);
        // (1, 0, 0) is the grid point 24 of 32 along x, 16 along the others.
        assertEquals(0.3998157709, u[(15 * n + 15) * n + 23], 5e-11);
    }

    /** The ball on (−2, 2)³ with points at distance h. */
    private record Ball(double h) implements GridData {
        private static final double A = 0.8005886212490549;

        @Override
        public boolean hasUniformSource() {
            return true;
        }

        @Override
        public double source(int plane, int row, int column) {
            return 0;
        }

        @Override
        public double boundary(int plane, int row, int column) {
            return A / radius(plane, row, column) - A / 2;
        }

        @Override
        public boolean hasObstacle() {
            return true;
        }

        @Override
        public double obstacle(int plane, int row, int column) {
            double r = radius(plane, row, column);
            return r < 0.9 ? Math.sqrt(1 - r * r) : Math.sqrt(0.19) - 0.9 / Math.sqrt(0.19) * (r - 0.9);
        }

        private double radius(int plane, int row, int column) {
            double x = column * h - 2;
            double y = row * h - 2;
            double z = plane * h - 2;
            return Math.sqrt(x * x + y * y + z * z);
        }
    }
}
