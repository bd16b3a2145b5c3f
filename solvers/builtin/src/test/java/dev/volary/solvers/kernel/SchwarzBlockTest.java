// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.kernel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.solver.Block;
import dev.volary.solver.Decomposition;
import dev.volary.solver.Edge;
import dev.volary.solver.GridDecomposition;
import dev.volary.solver.HaloWriter;
import dev.volary.solver.InvalidProblemException;
import dev.volary.solver.Residual;
import dev.volary.solver.Resources;
import dev.volary.solver.Shape;
import dev.volary.solver.testkit.HaloBuffers;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class SchwarzBlockTest {
    private static final int N = 32;

    /** Laplace's equation with 1 on the lower side of the grid and 0 on the others. */
    private static final class Laplace implements Relaxation {
        private final GhostGrid layout;

        Laplace(GhostGrid layout) {
            this.layout = layout;
        }

        @Override
        public void setBoundary(double[] grid) {
            if (layout.core().lo(0) == 0) {
                for (int column = 0; column < layout.extent(2); column++) {
                    grid[layout.index(0, -1, column)] = 1;
                }
            }
        }

        @Override
        public double sweep(double[] from, double[] to, SweepRegion patch, boolean measure) {
            return new ScalarKernel().jacobi5(from, to, patch, measure);
        }

        @Override
        public double hint(double change) {
            return change;
        }

        @Override
        public Residual residualOfRow(double[] grid, SweepRegion patch, int plane, int row) {
            return Residual.ZERO;
        }
    }

    /** Blocks that exchange their halos every now and then. */
    private static final class Group {
        private final Decomposition decomposition;
        private final List<Block> blocks = new ArrayList<>();
        private final List<HaloBuffers> halos = new ArrayList<>();

        Group(int count, int reach, int sweeps) throws InvalidProblemException {
            decomposition = GridDecomposition.star(Shape.of(N, N), count, reach, 8, 1);
            for (int b = 0; b < count; b++) {
                blocks.add(GridBlockFactory.open(
                        decomposition, b, Resources.SINGLE, sweeps, (layout, kernel) -> new Laplace(layout)));
                halos.add(new HaloBuffers(decomposition.incoming(b)));
            }
        }

        void round() {
            for (int b = 0; b < blocks.size(); b++) {
                blocks.get(b).iterate(halos.get(b));
            }
            for (int b = 0; b < blocks.size(); b++) {
                List<Edge> incoming = decomposition.incoming(b);
                for (int k = 0; k < incoming.size(); k++) {
                    double[] values = new double[incoming.get(k).values().size()];
                    ((HaloWriter) blocks.get(incoming.get(k).from())).writeHalo(incoming.get(k), values);
                    halos.get(b).put(k, values);
                }
            }
        }

        double[] core(int block) {
            double[] core = new double[decomposition.parts().get(block).core().size()];
            blocks.get(block).copyCore(core);
            return core;
        }

        /** Rounds until the largest change of a value in one round is below this. */
        int roundsUntilChangesAreBelow(double bound) {
            double change = Double.POSITIVE_INFINITY;
            int rounds = 0;
            while (change >= bound) {
                change = 0;
                List<double[]> before = new ArrayList<>();
                for (int b = 0; b < blocks.size(); b++) {
                    before.add(core(b));
                }
                round();
                for (int b = 0; b < blocks.size(); b++) {
                    double[] now = core(b);
                    for (int i = 0; i < now.length; i++) {
                        change = Math.max(change, Math.abs(now[i] - before.get(b)[i]));
                    }
                }
                rounds++;
            }
            return rounds;
        }
    }

    @ParameterizedTest
    @CsvSource({"4, 1", "4, 5", "16, 3"})
    void withAHaloForEachSweepItComputesWhatABlockWithoutSharedLayersDoes(int blocks, int shared)
            throws InvalidProblemException {
        Group plain = new Group(blocks, 1, 1);
        Group sharing = new Group(blocks, 1 + shared, 1);
        assertInstanceOf(SchwarzBlock.class, sharing.blocks.getFirst());
        for (int round = 0; round < 60; round++) {
            plain.round();
            sharing.round();
        }
        for (int b = 0; b < blocks; b++) {
            assertArrayEquals(plain.core(b), sharing.core(b), "block " + b);
        }
    }

    @ParameterizedTest
    @CsvSource({"4, 3, 4", "16, 2, 1.8"})
    void withManySweepsBetweenTwoHalosItNeedsFewerOfThem(int blocks, int shared, double times)
            throws InvalidProblemException {
        int plain = new Group(blocks, 1, 100).roundsUntilChangesAreBelow(1e-6);
        int sharing = new Group(blocks, 1 + shared, 100).roundsUntilChangesAreBelow(1e-6);
        assertTrue(times * sharing < plain, sharing + " rounds, " + plain + " without shared layers");
    }

    @Test
    void aDecompositionSaysHowManyLayersCanBeShared() {
        assertEquals(5, GridDecomposition.largestReach(Shape.of(N, N), 4, 5));
        assertEquals(1, GridDecomposition.largestReach(Shape.of(4, 4), 16, 5));
        assertEquals(0, GridDecomposition.largestReach(Shape.of(4, 4), 17, 5));
    }
}
