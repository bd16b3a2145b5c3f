// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.kernel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.volary.solver.Block;
import dev.volary.solver.BoundaryFirst;
import dev.volary.solver.Decomposition;
import dev.volary.solver.GridDecomposition;
import dev.volary.solver.GridFaces;
import dev.volary.solver.InvalidProblemException;
import dev.volary.solver.Residual;
import dev.volary.solver.Resources;
import dev.volary.solver.Shape;
import dev.volary.solver.Sliced;
import dev.volary.solver.testkit.HaloBuffers;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class GridBlockTest {
    private static final Resources TWO_THREADS = new Resources(2, Long.MAX_VALUE);

    /** Averages with the boundary at zero, and counts its measured sweeps. */
    private static final class Counting implements Relaxation {
        private int sweeps;
        private int measured;

        @Override
        public void setBoundary(double[] grid) {}

        @Override
        public double sweep(double[] from, double[] to, SweepRegion patch, boolean measure) {
            sweeps++;
            measured += measure ? 1 : 0;
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

    @Test
    void theHintIsMeasuredInTheFirstIterationAndThenInEveryEighth() throws InvalidProblemException {
        Counting counting = new Counting();
        iterate(open(counting, 1, 1, Resources.SINGLE), 17);
        assertEquals(17, counting.sweeps);
        assertEquals(3, counting.measured);
    }

    @Test
    void withManySweepsTheFirstOfEveryIterationIsMeasured() throws InvalidProblemException {
        Counting counting = new Counting();
        iterate(open(counting, 1, 10, Resources.SINGLE), 5);
        assertEquals(50, counting.sweeps);
        assertEquals(5, counting.measured);
    }

    @Test
    void aNewStateIsMeasuredAtOnce() throws InvalidProblemException {
        Counting counting = new Counting();
        Block block = open(counting, 1, 1, Resources.SINGLE);
        iterate(block, 1);
        block.setCore(new double[64], new HaloBuffers(decomposition(1).incoming(0)));
        iterate(block, 1);
        assertEquals(2, counting.measured);
    }

    @Test
    void theRimIsASeparatePatchOnlyWhereANeighborReadsIt() throws InvalidProblemException {
        Counting alone = new Counting();
        iterate(open(alone, 1, 1, Resources.SINGLE), 1);
        assertEquals(1, alone.sweeps);
        Counting beside = new Counting();
        iterate(open(beside, 2, 1, Resources.SINGLE), 1);
        assertEquals(2, beside.sweeps);
    }

    @Test
    void severalThreadsGetSlicesAndOneThreadOverlap() throws InvalidProblemException {
        assertInstanceOf(BoundaryFirst.class, open(new Counting(), 1, 1, Resources.SINGLE));
        assertInstanceOf(Sliced.class, open(new Counting(), 1, 1, TWO_THREADS));
        assertInstanceOf(BoundaryFirst.class, open(new Counting(), 1, 4, TWO_THREADS));
    }

    /** An odd and an even number, fewer than planes and more. */
    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4, 9})
    void sweepsThatGoThroughThePlanesTogetherComputeTheSameBits(int sweeps) throws InvalidProblemException {
        Decomposition cubes = GridDecomposition.star(Shape.of(10, 9, 13), 8, 1, 24, sweeps);
        GridFaces faces = GridFaces.of(cubes, 3);
        GhostGrid layout = new GhostGrid(faces.core());
        Block together = GridBlockFactory.open(cubes, 3, Resources.SINGLE, sweeps, (grid, kernel) -> new Averages());
        assertInstanceOf(WavefrontBlock.class, together);
        Block inTurn = new BoundaryFirstBlock(layout, new Averages(), faces, sweeps);
        SplittableRandom random = new SplittableRandom(7);
        double[] core = random.doubles(faces.core().size()).toArray();
        HaloBuffers halos = new HaloBuffers(cubes.incoming(3));
        together.setCore(core, halos);
        inTurn.setCore(core, halos);
        for (int iteration = 0; iteration < 12; iteration++) {
            for (int k = 0; k < cubes.incoming(3).size(); k++) {
                double[] values = halos.values(k);
                Arrays.setAll(values, i -> random.nextDouble());
            }
            assertEquals(inTurn.iterate(halos), together.iterate(halos));
            assertArrayEquals(core(inTurn, faces), core(together, faces));
        }
    }

    private static double[] core(Block block, GridFaces faces) {
        double[] values = new double[Math.toIntExact(faces.core().size())];
        block.copyCore(values);
        return values;
    }

    /** Jacobi for Laplace's equation on three axes. */
    private static final class Averages implements Relaxation {
        @Override
        public void setBoundary(double[] grid) {}

        @Override
        public double sweep(double[] from, double[] to, SweepRegion patch, boolean measure) {
            return new ScalarKernel().jacobi7(from, to, patch, measure);
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

    private static Decomposition decomposition(int blocks) throws InvalidProblemException {
        return GridDecomposition.star(Shape.of(8, 8), blocks, 1, 24, 1);
    }

    private static Block open(Relaxation relaxation, int blocks, int sweeps, Resources resources)
            throws InvalidProblemException {
        return GridBlockFactory.open(decomposition(blocks), 0, resources, sweeps, (layout, kernel) -> relaxation);
    }

    private static void iterate(Block block, int times) throws InvalidProblemException {
        HaloBuffers halos = new HaloBuffers(decomposition(2).incoming(0));
        for (int i = 0; i < times; i++) {
            block.iterate(halos);
        }
    }
}
