// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.multigrid;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.solver.Shape;
import java.util.Arrays;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

final class GridTransferTest {

    /** A whole grid and its first coarser level. */
    private static final class Levels {
        private final GridLevel fine;
        private final GridLevel coarse;
        private final GridTransfer transfer;

        Levels(GridOperator operator) {
            fine = new GridLevel(operator, 0, LevelBox.whole(operator, 0), false, false, ObstacleLayout.NONE);
            coarse = new GridLevel(operator, 1, LevelBox.whole(operator, 1), false, true, ObstacleLayout.NONE);
            transfer = new GridTransfer(fine, coarse, fine.inside);
        }
    }

    @Property(seed = "1", tries = 60)
    void fullWeightingIsTheTransposeOfInterpolation(
            @ForAll @IntRange(min = 2, max = 12) int planes,
            @ForAll @IntRange(min = 2, max = 12) int rows,
            @ForAll @IntRange(min = 2, max = 12) int columns,
            @ForAll boolean solid,
            @ForAll long seed) {
        Levels levels =
                new Levels(GridOperator.poisson(solid ? Shape.of(planes, rows, columns) : Shape.of(rows, columns)));
        SplittableRandom random = new SplittableRandom(seed);
        fill(levels.fine, levels.fine.f, random);
        double[] values = new double[levels.coarse.u.length];
        fill(levels.coarse, values, random);
        // With u = 0 the residual is f, and A I u is zero.
        levels.transfer.restrict();
        levels.transfer.prolong(values);
        double coarse = product(levels.coarse, levels.coarse.f, values);
        assertEquals(coarse, product(levels.fine, levels.fine.f, levels.fine.u), 1e-12);
    }

    /** Σ V a b with the volume V of each point. */
    private static double product(GridLevel level, double[] a, double[] b) {
        double sum = 0;
        LevelBox box = level.inside;
        for (int z = box.lo(0); z <= box.hi(0); z++) {
            for (int y = box.lo(1); y <= box.hi(1); y++) {
                for (int x = box.lo(2); x <= box.hi(2); x++) {
                    int i = level.index(z, y, x);
                    sum += level.planes.volume[z] * level.rows.volume[y] * level.columns.volume[x] * a[i] * b[i];
                }
            }
        }
        return sum;
    }

    @Property(seed = "2", tries = 60)
    void aCoarseSolutionThatIsAppliedTwiceChangesNothing(
            @ForAll @IntRange(min = 2, max = 12) int rows,
            @ForAll @IntRange(min = 2, max = 12) int columns,
            @ForAll long seed) {
        Levels levels = new Levels(GridOperator.poisson(Shape.of(5, rows, columns)));
        SplittableRandom random = new SplittableRandom(seed);
        fill(levels.fine, levels.fine.u, random);
        double[] map = new double[levels.coarse.u.length];
        fill(levels.coarse, map, random);
        levels.transfer.takeCorrection(map);
        levels.transfer.correctAndRelax(0, 1, 0);
        double[] once = levels.fine.u.clone();
        levels.transfer.takeCorrection(map);
        levels.transfer.correctAndRelax(0, 1, 0);
        for (int i = 0; i < once.length; i++) {
            // u + (U − u) is U but for a rounding.
            assertEquals(once[i], levels.fine.u[i], 0x1p-51);
        }
    }

    @Test
    void linearFunctionsAreInterpolatedExactlyBetweenTheBoundaries() {
        Levels levels = new Levels(GridOperator.poisson(Shape.of(9, 10, 12)));
        for (int z = 1; z <= 4; z++) {
            for (int y = 1; y <= 5; y++) {
                for (int x = 1; x <= 6; x++) {
                    levels.coarse.u[levels.coarse.index(z, y, x)] = 2 * (z + 3 * y + 5 * x);
                }
            }
        }
        levels.transfer.prolong(levels.coarse.u);
        for (int z = 2; z <= 8; z++) {
            for (int y = 2; y <= 10; y++) {
                for (int x = 2; x <= 12; x++) {
                    assertEquals(z + 3 * y + 5 * x, levels.fine.u[levels.fine.index(z, y, x)], 1e-13);
                }
            }
        }
    }

    @Test
    void nanInTheCoreMakesTheMeasuredResidualNan() {
        Levels levels = new Levels(GridOperator.poisson(Shape.of(7, 7, 7)));
        levels.fine.u[levels.fine.index(3, 4, 5)] = Double.NaN;
        assertTrue(Double.isNaN(levels.transfer.restrict()));
        Arrays.fill(levels.fine.u, 0);
        assertEquals(0, levels.transfer.restrict());
    }

    private static void fill(GridLevel level, double[] values, SplittableRandom random) {
        LevelBox box = level.inside;
        for (int z = box.lo(0); z <= box.hi(0); z++) {
            for (int y = box.lo(1); y <= box.hi(1); y++) {
                for (int x = box.lo(2); x <= box.hi(2); x++) {
                    values[level.index(z, y, x)] = random.nextDouble(-1, 1);
                }
            }
        }
    }
}
