// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.multigrid;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.volary.solver.Shape;
import java.util.function.DoubleBinaryOperator;
import org.junit.jupiter.api.Test;

final class GridLevelTest {

    /** Second differences of a quadratic and upwind differences of a linear function are exact on any spacing. */
    @Test
    void theOperatorIsExactForLowDegreesOnEveryLevel() {
        int n = 13;
        double h = 1.0 / (n + 1);
        GridOperator operator = new GridOperator(Shape.of(n, n), new double[] {h, h}, 2, new double[] {0, -3}, 5);
        // −2 Δ(x²y) is −4y.
        check(operator, n, (x, y) -> x * x * y, (x, y) -> -4 * y + 5 * x * x * y, false);
        check(operator, n, (x, y) -> x + 2 * y, (x, y) -> -3 + 5 * (x + 2 * y), true);
    }

    private static void check(
            GridOperator operator, int n, DoubleBinaryOperator u, DoubleBinaryOperator image, boolean convected) {
        double h = 1.0 / (n + 1);
        for (int l = 0; l < operator.levels(); l++) {
            GridLevel level =
                    new GridLevel(operator, l, LevelBox.whole(operator, l), false, false, ObstacleLayout.NONE);
            int points = level.columns.n;
            for (int y = 0; y <= points + 1; y++) {
                for (int x = 0; x <= points + 1; x++) {
                    level.u[level.index(1, y, x)] = u.applyAsDouble(at(x, points, l, h), at(y, points, l, h));
                }
            }
            double[] row = level.newRow();
            for (int y = 1; y <= points; y++) {
                level.residualRow(1, y, row);
                for (int x = 1; x <= points; x++) {
                    double px = at(x, points, l, h);
                    double py = at(y, points, l, h);
                    // The difference quotient of x²y towards the next point.
                    double quotient = (px + at(x + 1, points, l, h)) * py;
                    double convection = convected ? 0 : -3 * quotient;
                    assertEquals(-image.applyAsDouble(px, py) - convection, row[level.slot(x)], 1e-11);
                }
            }
        }
    }

    private static double at(int k, int points, int level, double h) {
        return k == points + 1 ? 1 : (k << level) * h;
    }

    @Test
    void redPointsComeFirst() {
        GridOperator operator = GridOperator.poisson(Shape.of(3, 3));
        GridLevel level = new GridLevel(operator, 0, LevelBox.whole(operator, 0), true, false, ObstacleLayout.NONE);
        level.setSource((z, y, x) -> 1);
        level.relax(1);
        double h2 = 1.0 / 16;
        // z = 1 counts, so (2, 2) is black; its red neighbors are h²/4 already.
        assertEquals(h2 / 4, level.u[level.index(1, 1, 2)], 1e-15);
        assertEquals(h2 / 2, level.u[level.index(1, 2, 2)], 1e-15);
    }

    @Test
    void aProjectedSweepStopsAtTheObstacleAndLeavesFixedPointsAlone() {
        GridOperator operator = GridOperator.poisson(Shape.of(3, 3));
        GridLevel level =
                new GridLevel(operator, 0, LevelBox.whole(operator, 0), true, false, ObstacleLayout.EACH_POINT);
        level.setSource((z, y, x) -> -1);
        level.setLower((z, y, x) -> -0.001);
        level.fixed[level.index(1, 1, 1)] = true;
        level.relax(1.3);
        assertEquals(0, level.u[level.index(1, 1, 1)]);
        assertEquals(-0.001, level.u[level.index(1, 2, 2)]);
    }
}
