// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.multigrid;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.volary.solver.Decomposition;
import dev.volary.solver.InvalidProblemException;
import dev.volary.solver.Shape;
import java.util.SplittableRandom;
import net.jqwik.api.Assume;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** A pass gives the bits of {@link PlainPass} on every level of every patch. */
final class GridPassTest {

    @Property(seed = "3", tries = 400)
    void aPassHasTheBitsOfItsStagesOneAfterTheOther(
            @ForAll @IntRange(min = 2, max = 13) int planes,
            @ForAll @IntRange(min = 2, max = 13) int rows,
            @ForAll @IntRange(min = 2, max = 29) int columns,
            @ForAll boolean solid,
            @ForAll boolean obstacle,
            @ForAll boolean uniform,
            @ForAll @IntRange(min = 1, max = 3) int levels,
            @ForAll @IntRange(min = 0, max = 2) int velocity,
            @ForAll long seed)
            throws InvalidProblemException {
        Shape shape = solid ? Shape.of(planes, rows, columns) : Shape.of(rows, columns);
        double[] step = new double[shape.axes()];
        double[] flow = new double[shape.axes()];
        for (int a = 0; a < step.length; a++) {
            step[a] = 0.1;
            flow[a] = velocity * (a - 1);
        }
        GridOperator operator = new GridOperator(shape, step, 1, flow, velocity);
        Assume.that(operator.levels() > levels);
        SplittableRandom random = new SplittableRandom(seed);
        GridRounds rounds = new GridRounds(operator, new Data(obstacle, uniform), levels, 1.3, GridRounds.OVERLAP);
        Decomposition decomposition = decompose(rounds, random.nextInt(1, 5));
        int block = random.nextInt(decomposition.blocks());
        int level = random.nextInt(levels);
        Levels fused = new Levels(rounds, decomposition, block, level, seed);
        Levels plain = new Levels(rounds, decomposition, block, level, seed);
        int sweeps = random.nextInt(0, 4);
        PlainPass stages = new PlainPass(plain.fine, plain.coarse);
        GridTransfer transfer = new GridTransfer(fused.fine, fused.coarse, fused.measured);

        transfer.correctAndRelax(sweeps, 1.3);
        stages.correct();
        stages.relax(sweeps, 1.3);
        fused.requireSame(plain);

        double norm = transfer.correctRelaxAndRestrict(sweeps, 1.1);
        stages.correct();
        stages.relax(sweeps, 1.1);
        assertEquals(stages.restrict(plain.measured), norm);
        fused.requireSame(plain);

        norm = transfer.relaxAndRestrict(sweeps, 1);
        stages.relax(sweeps, 1);
        assertEquals(stages.restrict(plain.measured), norm);
        fused.requireSame(plain);
    }

    /** One block where the grid is too thin for as many. */
    private static Decomposition decompose(GridRounds rounds, int blocks) throws InvalidProblemException {
        try {
            return rounds.decompose(blocks);
        } catch (InvalidProblemException tooThin) {
            return rounds.decompose(1);
        }
    }

    /** A level of a patch and the next one, with random values. */
    private static final class Levels {
        private final GridLevel fine;
        private final GridLevel coarse;
        private final LevelBox measured;

        Levels(GridRounds rounds, Decomposition decomposition, int block, int level, long seed) {
            GridOperator operator = rounds.operator();
            fine = rounds.level(
                    level, LevelBox.inside(rounds.patch(decomposition, block), operator, level), level == 0);
            coarse = rounds.level(
                    level + 1, LevelBox.inside(rounds.patch(decomposition, block), operator, level + 1), false);
            measured = LevelBox.within(GridRounds.core(decomposition, block), operator, level);
            rounds.setSource(fine, level);
            SplittableRandom random = new SplittableRandom(seed);
            fill(fine, fine.u, random);
            fill(coarse, coarse.c, random);
            for (int i = 0; i < fine.fixed.length; i++) {
                fine.fixed[i] = level > 0 && random.nextInt(8) == 0;
            }
        }

        private static void fill(GridLevel level, double[] values, SplittableRandom random) {
            LevelBox box = level.withGhosts;
            for (int z = box.lo(0); z <= box.hi(0); z++) {
                for (int y = box.lo(1); y <= box.hi(1); y++) {
                    for (int x = box.lo(2); x <= box.hi(2); x++) {
                        values[level.index(z, y, x)] = random.nextDouble(-1, 1);
                    }
                }
            }
            level.project();
        }

        void requireSame(Levels other) {
            assertArrayEquals(other.fine.u, fine.u);
            assertArrayEquals(other.coarse.u, coarse.u);
            assertArrayEquals(other.coarse.f, coarse.f);
            assertArrayEquals(other.coarse.fixed, coarse.fixed);
        }
    }

    /** An uneven source, boundary and obstacle, so that about a quarter of the points are in contact. */
    private record Data(boolean hasObstacle, boolean hasUniformSource) implements GridData {
        @Override
        public double source(int plane, int row, int column) {
            return hasUniformSource ? -3 : Math.sin(plane + 2 * row + 3 * column) - 3;
        }

        @Override
        public double boundary(int plane, int row, int column) {
            return Math.cos(plane + 5 * row + 7 * column);
        }

        @Override
        public double obstacle(int plane, int row, int column) {
            return -0.3 + 0.2 * Math.sin(3 * plane + row + column);
        }
    }
}
