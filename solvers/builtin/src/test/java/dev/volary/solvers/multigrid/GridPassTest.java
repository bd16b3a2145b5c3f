// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.multigrid;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.volary.solver.Box;
import dev.volary.solver.GridPatch;
import dev.volary.solver.Shape;
import java.util.Arrays;
import java.util.SplittableRandom;
import net.jqwik.api.Assume;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A pass gives the bits of {@link PlainPass} on every level of every patch, with vectors and without. */
final class GridPassTest {

    @Property(seed = "3", tries = 1000)
    void aPassHasTheBitsOfItsStagesOneAfterTheOther(
            @ForAll @IntRange(min = 2, max = 14) int planes,
            @ForAll @IntRange(min = 2, max = 14) int rows,
            @ForAll @IntRange(min = 2, max = 29) int columns,
            @ForAll boolean solid,
            @ForAll boolean obstacle,
            @ForAll boolean uniform,
            @ForAll boolean vectors,
            @ForAll @IntRange(min = 1, max = 3) int levels,
            @ForAll @IntRange(min = 0, max = 2) int velocity,
            @ForAll long seed) {
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
        Box core = core(shape, random);
        Patch patch = new Patch(
                operator, GridPatch.around(core, shape, random.nextInt(3), levels), core, random.nextInt(levels));
        Levels fused = new Levels(patch, obstacle, uniform, vectors ? new VectorRows() : new ScalarRows(), seed);
        Levels plain = new Levels(patch, obstacle, uniform, new ScalarRows(), seed);
        int sweeps = random.nextInt(0, 4);
        int near = obstacle ? random.nextInt(0, 3) : 0;
        PlainPass stages = new PlainPass(plain.fine, plain.coarse);
        GridTransfer transfer = new GridTransfer(fused.fine, fused.coarse, fused.measured);

        transfer.correctAndRelax(sweeps, 1.3, near);
        stages.correct();
        stages.relax(sweeps, 1.3, near);
        fused.requireSame(plain);

        double norm = transfer.correctRelaxAndRestrict(sweeps, 1.1, near);
        stages.correct();
        stages.relax(sweeps, 1.1, near);
        assertEquals(stages.restrict(plain.measured), norm);
        fused.requireSame(plain);

        norm = transfer.relaxAndRestrict(sweeps, 1, near);
        stages.relax(sweeps, 1, near);
        assertEquals(stages.restrict(plain.measured), norm);
        fused.requireSame(plain);

        // Near the boundary of the contact that the last restriction found.
        transfer.correctAndRelax(0, 1, near);
        stages.correct();
        stages.relax(0, 1, near);
        fused.requireSame(plain);
    }

    /** Sweeps leave out what cannot move, in the middle of this contact; there is no sign of it but the time. */
    @ParameterizedTest
    @CsvSource({"true, true, 0", "false, true, 40", "false, false, 40"})
    void aPassOverALargeContactHasTheBitsOfItsStages(boolean uniform, boolean vectors, double pull) {
        Shape shape = Shape.of(22, 20, 37);
        GridOperator operator = new GridOperator(shape, new double[] {0.1, 0.1, 0.1}, 1, new double[3], 0);
        Box core = Box.of(new int[] {0, 0, 0}, new int[] {22, 20, 37});
        Patch patch = new Patch(operator, GridPatch.around(core, shape, 2, 1), core, 0);
        Levels fused = new Levels(patch, true, uniform, vectors ? new VectorRows() : new ScalarRows(), 5);
        Levels plain = new Levels(patch, true, uniform, new ScalarRows(), 5);
        fused.touch(pull);
        plain.touch(pull);
        PlainPass stages = new PlainPass(plain.fine, plain.coarse);
        GridTransfer transfer = new GridTransfer(fused.fine, fused.coarse, fused.measured);
        assertEquals(stages.restrict(plain.measured), transfer.restrict());
        for (int pass = 0; pass < 2; pass++) {
            double norm = transfer.correctRelaxAndRestrict(1, 1.15, 1);
            stages.correct();
            stages.relax(1, 1.15, 1);
            assertEquals(stages.restrict(plain.measured), norm);
            fused.requireSame(plain);
        }
    }

    /** Some box of the grid. */
    private static Box core(Shape shape, SplittableRandom random) {
        int[] lo = new int[shape.axes()];
        int[] hi = new int[shape.axes()];
        for (int a = 0; a < lo.length; a++) {
            lo[a] = random.nextInt(shape.extent(a));
            hi[a] = random.nextInt(lo[a] + 1, shape.extent(a) + 1);
        }
        return Box.of(lo, hi);
    }

    /** A level of a patch and the next one, with random values. */
    private static final class Levels {
        private final GridLevel fine;
        private final GridLevel coarse;
        private final LevelBox measured;

        Levels(Patch patch, boolean obstacle, boolean uniform, RowKernel kernel, long seed) {
            fine = patch.level(0, uniform, layout(obstacle, uniform), kernel);
            coarse = patch.level(1, false, layout(obstacle, false), kernel);
            measured = LevelBox.within(patch.core, patch.operator, patch.level);
            SplittableRandom random = new SplittableRandom(seed);
            Arrays.setAll(fine.f, i -> uniform ? -3 : random.nextDouble(-4, -2));
            fill(fine.lower, random);
            fill(coarse.lower, random);
            fill(fine.u, random);
            fill(coarse.u, random);
            fill(coarse.c, random);
            for (int i = 0; i < fine.fixed.length; i++) {
                fine.fixed[i] = random.nextInt(8) == 0;
            }
        }

        /** Contact in most of the grid, with a load that presses but in one corner of it, if anywhere. */
        void touch(double pull) {
            Arrays.fill(fine.fixed, false);
            Arrays.fill(fine.lower, 0);
            Arrays.fill(fine.f, -3);
            Arrays.fill(coarse.c, 0);
            fine.setValues((z, y, x) -> z < 4 || y > 16 ? 0.01 : 0);
            if (fine.f.length == fine.u.length) {
                fine.setSource((z, y, x) -> z > 16 && y < 8 && x > 26 ? pull - 3 : -3);
            }
        }

        private static ObstacleLayout layout(boolean obstacle, boolean uniform) {
            if (!obstacle) {
                return ObstacleLayout.NONE;
            }
            return uniform ? ObstacleLayout.ONE_ROW : ObstacleLayout.EACH_POINT;
        }

        private static void fill(double[] values, SplittableRandom random) {
            Arrays.setAll(values, i -> random.nextDouble(-1, 1));
        }

        void requireSame(Levels other) {
            assertArrayEquals(other.fine.u, fine.u);
            assertArrayEquals(other.coarse.u, coarse.u);
            assertArrayEquals(other.coarse.f, coarse.f);
            assertArrayEquals(other.coarse.fixed, coarse.fixed);
        }
    }

    /** Where a patch lies, and one of its levels. */
    private record Patch(GridOperator operator, GridPatch patch, Box core, int level) {
        GridLevel level(int below, boolean uniform, ObstacleLayout obstacle, RowKernel kernel) {
            LevelBox inside = LevelBox.inside(patch, operator, level + below);
            return new GridLevel(operator, level + below, inside, uniform, below > 0, obstacle, kernel);
        }
    }
}
