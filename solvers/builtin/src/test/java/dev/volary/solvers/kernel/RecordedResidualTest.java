// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.volary.solver.Box;
import dev.volary.solver.Edge;
import dev.volary.solver.Residual;
import dev.volary.solver.Shape;
import dev.volary.solver.testkit.HaloBuffers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

final class RecordedResidualTest {
    /** The core touches the boundary of the domain below on every axis, and above on the last; halos are two layers. */
    private static List<Arguments> cores() {
        return List.of(
                Arguments.of(new int[] {90, 140, 130}, new int[] {80, 130, 130}),
                Arguments.of(new int[] {2000, 700}, new int[] {1900, 700}),
                Arguments.of(new int[] {9, 8, 7}, new int[] {6, 5, 7}));
    }

    @ParameterizedTest
    @MethodSource("cores")
    void slabsGiveTheResidualOfTheWholeCoreTimeAfterTime(int[] domain, int[] extent) {
        Box core = Box.of(new int[extent.length], extent);
        Shape shape = Shape.of(domain);
        List<Edge> incoming = new ArrayList<>();
        for (int axis = 0; axis < extent.length; axis++) {
            if (extent[axis] < domain[axis]) {
                int[] lo = new int[extent.length];
                int[] hi = extent.clone();
                lo[axis] = extent[axis];
                hi[axis] = extent[axis] + 2;
                incoming.add(new Edge(incoming.size() + 1, 0, Box.of(lo, hi)));
            }
        }
        double[] values = valuesOf(core, shape);
        HaloBuffers halos = new HaloBuffers(incoming);
        for (int k = 0; k < incoming.size(); k++) {
            halos.put(k, valuesOf((Box) incoming.get(k).values(), shape));
        }
        Residual expected = expected(core, shape);

        AtomicInteger slabs = new AtomicInteger();
        RecordedResidual inSlabs = RecordedResidual.inSlabs(core, incoming, layout -> {
            slabs.incrementAndGet();
            return new NeighborSum(layout);
        });
        RecordedResidual whole = RecordedResidual.whole(core, incoming, new NeighborSum(new GhostGrid(core)));
        assertEquals(core.size() > 1 << 19, slabs.get() > 1, slabs + " slabs");
        for (int time = 0; time < 2; time++) {
            for (RecordedResidual each : List.of(inSlabs, whole)) {
                Residual found = each.of(values, halos);
                assertEquals(expected.norm(), found.norm());
                assertEquals(expected.roundoff(), found.roundoff());
                assertEquals(expected.sumOfSquares(), found.sumOfSquares(), 1e-9 * expected.sumOfSquares());
            }
        }
    }

    /** Small whole numbers, so that sums are exact; those outside of the domain are zero. */
    private static double value(int[] at, Shape shape) {
        int hash = 17;
        for (int axis = 0; axis < at.length; axis++) {
            if (at[axis] < 0 || at[axis] >= shape.extent(axis)) {
                return 0;
            }
            hash = 31 * hash + at[axis];
        }
        return Math.floorMod(hash * 0x9E3779B9, 1000);
    }

    private static double[] valuesOf(Box box, Shape shape) {
        double[] values = new double[box.size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = value(position(box, i), shape);
        }
        return values;
    }

    private static int[] position(Box box, int index) {
        int[] at = new int[box.axes()];
        int rest = index;
        for (int axis = at.length - 1; axis >= 0; axis--) {
            at[axis] = box.lo(axis) + rest % box.extent(axis);
            rest /= box.extent(axis);
        }
        return at;
    }

    private static Residual expected(Box core, Shape shape) {
        double largest = 0;
        double squares = 0;
        for (int i = 0; i < core.size(); i++) {
            int[] at = position(core, i);
            double sum = -NeighborSum.weight(at) * value(at, shape);
            for (int axis = 0; axis < at.length; axis++) {
                for (int step = -1; step <= 1; step += 2) {
                    int[] beside = at.clone();
                    beside[axis] += step;
                    sum += value(beside, shape);
                }
            }
            largest = Math.max(largest, Math.abs(sum));
            squares += sum * sum;
        }
        return new Residual(largest, squares, largest / 2);
    }

    /** The sum of a point's neighbors less a multiple of it that depends on where it is; zero round the domain. */
    private record NeighborSum(GhostGrid layout) implements Relaxation {
        static int weight(int[] at) {
            int sum = 1;
            for (int each : at) {
                sum += each;
            }
            return sum % 7;
        }

        @Override
        public void setBoundary(double[] grid) {}

        @Override
        public double sweep(double[] from, double[] to, SweepRegion patch, boolean measure) {
            throw new UnsupportedOperationException("only residuals are evaluated");
        }

        @Override
        public double hint(double change) {
            throw new UnsupportedOperationException("only residuals are evaluated");
        }

        @Override
        public Residual residualOfRow(double[] grid, SweepRegion patch, int plane, int row) {
            double largest = 0;
            double squares = 0;
            Box core = layout.core();
            int axes = core.axes();
            int[] at = new int[axes];
            if (axes == 3) {
                at[0] = core.lo(0) + plane;
            }
            at[axes - 2] = core.lo(axes - 2) + row;
            for (int column = 0; column < patch.columns(); column++) {
                at[axes - 1] = core.lo(axes - 1) + column;
                int k = patch.row(plane, row) + column;
                double sum = grid[k - 1] + grid[k + 1] + grid[k - patch.rowStride()] + grid[k + patch.rowStride()];
                if (axes == 3) {
                    sum += grid[k - patch.planeStride()] + grid[k + patch.planeStride()];
                }
                double r = sum - weight(at) * grid[k];
                largest = Math.max(largest, Math.abs(r));
                squares += r * r;
            }
            return new Residual(largest, squares, largest / 2);
        }
    }
}
