// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.kernel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.solver.Box;
import java.util.Arrays;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** The two kernels against each other, bit for bit, and against a point computed by hand. */
final class StencilKernelTest {
    private static final StencilKernel PLAIN = new ScalarKernel();
    private static final StencilKernel VECTOR = new VectorKernel();

    @Property(seed = "4", tries = 60)
    void fivePointSweepsAgreeBitForBit(
            @ForAll @IntRange(min = 1, max = 7) int rows,
            @ForAll @IntRange(min = 1, max = 41) int columns,
            @ForAll long seed) {
        GhostGrid layout = new GhostGrid(Box.of(new int[] {0, 0}, new int[] {rows, columns}));
        double[] from = random(layout, seed);
        double[] plain = layout.allocate();
        double[] vector = layout.allocate();
        double plainChange = PLAIN.jacobi5(from, plain, layout.whole(), true);
        double vectorChange = VECTOR.jacobi5(from, vector, layout.whole(), true);
        assertSame(plain, vector);
        assertEquals(plainChange, vectorChange);
    }

    @Property(seed = "7", tries = 60)
    void implicitSweepsAgreeBitForBit(
            @ForAll @IntRange(min = 1, max = 7) int rows,
            @ForAll @IntRange(min = 1, max = 41) int columns,
            @ForAll long seed) {
        GhostGrid layout = new GhostGrid(Box.of(new int[] {0, 0}, new int[] {rows, columns}));
        double[] from = random(layout, seed);
        double[] old = random(layout, seed + 1);
        double[] plain = layout.allocate();
        double[] vector = layout.allocate();
        double plainChange = PLAIN.implicit5(from, plain, old, 0.7, 1 / 3.8, layout.whole(), true);
        double vectorChange = VECTOR.implicit5(from, vector, old, 0.7, 1 / 3.8, layout.whole(), true);
        assertSame(plain, vector);
        assertEquals(plainChange, vectorChange);
    }

    @Property(seed = "5", tries = 60)
    void sevenPointSweepsAgreeBitForBit(
            @ForAll @IntRange(min = 1, max = 4) int planes,
            @ForAll @IntRange(min = 1, max = 4) int rows,
            @ForAll @IntRange(min = 1, max = 41) int columns,
            @ForAll long seed) {
        GhostGrid layout = solid(planes, rows, columns);
        double[] from = random(layout, seed);
        double[] plain = layout.allocate();
        double[] vector = layout.allocate();
        double plainChange = PLAIN.jacobi7(from, plain, layout.whole(), true);
        double vectorChange = VECTOR.jacobi7(from, vector, layout.whole(), true);
        assertSame(plain, vector);
        assertEquals(plainChange, vectorChange);
    }

    @Property(seed = "8", tries = 60)
    void poissonSweepsAgreeBitForBit(
            @ForAll @IntRange(min = 1, max = 4) int planes,
            @ForAll @IntRange(min = 1, max = 4) int rows,
            @ForAll @IntRange(min = 1, max = 41) int columns,
            @ForAll boolean uniform,
            @ForAll long seed) {
        GhostGrid layout = solid(planes, rows, columns);
        double[] from = random(layout, seed);
        double[] source = random(layout, seed + 1);
        double[] plain = layout.allocate();
        double[] vector = layout.allocate();
        double plainChange = PLAIN.poisson7(from, plain, source, uniform, layout.whole(), true);
        double vectorChange = VECTOR.poisson7(from, vector, source, uniform, layout.whole(), true);
        assertSame(plain, vector);
        assertEquals(plainChange, vectorChange);
    }

    @Property(seed = "6", tries = 60)
    void projectedSweepsAgreeBitForBit(
            @ForAll @IntRange(min = 1, max = 4) int planes,
            @ForAll @IntRange(min = 1, max = 4) int rows,
            @ForAll @IntRange(min = 1, max = 41) int columns,
            @ForAll boolean uniform,
            @ForAll long seed) {
        GhostGrid layout = solid(planes, rows, columns);
        double[] from = random(layout, seed);
        double[] obstacle = uniform ? new double[columns] : random(layout, seed + 1);
        Projection projection = new Projection(1 - 6 * 0.15, 0.15, -0.3, obstacle, uniform);
        double[] plain = layout.allocate();
        double[] vector = layout.allocate();
        double plainChange = PLAIN.projected7(from, plain, layout.whole(), projection, true);
        double vectorChange = VECTOR.projected7(from, vector, layout.whole(), projection, true);
        assertSame(plain, vector);
        assertEquals(plainChange, vectorChange);
    }

    @Test
    void measuringDoesNotChangeTheSweep() {
        GhostGrid layout = solid(3, 4, 37);
        double[] from = random(layout, 7);
        for (StencilKernel kernel : new StencilKernel[] {PLAIN, VECTOR}) {
            double[] measured = layout.allocate();
            double[] unmeasured = layout.allocate();
            kernel.jacobi7(from, measured, layout.whole(), true);
            assertEquals(0, kernel.jacobi7(from, unmeasured, layout.whole(), false));
            assertSame(measured, unmeasured);
        }
    }

    @Test
    void theChangeIsTheLargestDifferenceInThePatch() {
        GhostGrid layout = new GhostGrid(Box.of(new int[] {0, 0}, new int[] {2, 19}));
        for (StencilKernel kernel : new StencilKernel[] {PLAIN, VECTOR}) {
            double[] from = layout.allocate();
            // Its four neighbors become 1 and the point itself 0: the largest change is its own, 4.
            from[layout.index(0, 1, 17)] = 4;
            assertEquals(4, kernel.jacobi5(from, layout.allocate(), layout.whole(), true));
        }
    }

    @Test
    void nanAnywhereMakesTheChangeNan() {
        GhostGrid layout = solid(2, 2, 40);
        for (int column : new int[] {0, 13, 39}) {
            double[] from = random(layout, 8);
            from[layout.index(1, 1, column)] = Double.NaN;
            Projection projection = new Projection(0, 1.0 / 6, 0, new double[40], true);
            for (StencilKernel kernel : new StencilKernel[] {PLAIN, VECTOR}) {
                double[] to = layout.allocate();
                assertTrue(Double.isNaN(kernel.jacobi7(from, to, layout.whole(), true)), kernel.name());
                assertTrue(Double.isNaN(kernel.projected7(from, to, layout.whole(), projection, true)), kernel.name());
                assertTrue(Double.isNaN(to[layout.index(1, 0, column)]), "the projection must not hide NaN");
            }
        }
    }

    @Test
    void onlyThePatchIsWritten() {
        GhostGrid layout = solid(4, 5, 33);
        SweepRegion inner = layout.patch(1, 3, 2, 4, 5, 30);
        for (StencilKernel kernel : new StencilKernel[] {PLAIN, VECTOR}) {
            double[] to = layout.allocate();
            Arrays.fill(to, 9);
            kernel.jacobi7(layout.allocate(), to, inner, false);
            assertEquals(
                    2 * 2 * 25, Arrays.stream(to).filter(value -> value == 0).count(), kernel.name());
        }
    }

    private static GhostGrid solid(int planes, int rows, int columns) {
        return new GhostGrid(Box.of(new int[] {0, 0, 0}, new int[] {planes, rows, columns}));
    }

    private static double[] random(GhostGrid layout, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        double[] grid = layout.allocate();
        Arrays.setAll(grid, i -> random.nextDouble(-1, 1));
        return grid;
    }

    private static void assertSame(double[] expected, double[] actual) {
        assertArrayEquals(
                Arrays.stream(expected).mapToLong(Double::doubleToRawLongBits).toArray(),
                Arrays.stream(actual).mapToLong(Double::doubleToRawLongBits).toArray());
    }
}
