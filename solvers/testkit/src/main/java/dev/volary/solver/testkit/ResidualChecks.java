// SPDX-License-Identifier: Apache-2.0
package dev.volary.solver.testkit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import dev.volary.solver.Block;
import dev.volary.solver.InvalidProblemException;
import dev.volary.solver.Model;
import dev.volary.solver.Residual;
import dev.volary.solver.Resources;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;

/** Checks of {@link Block#residual}. */
final class ResidualChecks {
    private static final int CONCURRENT_EVALUATIONS = 200;
    /** Sums may be formed in another order in another decomposition. */
    private static final double REORDERING = 1e-10;

    private ResidualChecks() {}

    static void dependsOnItsArgumentsOnly(Model model, int blocks) throws InvalidProblemException {
        InProcessSolver ensemble = stepped(model, blocks);
        double[] vector = perturbed(ensemble.vector(), 11);
        for (int b = 0; b < blocks; b++) {
            Block block = ensemble.block(b);
            double[] core = ensemble.positions().core(vector, b);
            double[] untouched = core.clone();
            HaloBuffers halos = ensemble.positions().halos(vector, b);
            HaloBuffers untouchedHalos = halos.copy();
            Residual first = block.residual(core, halos);
            assertArrayEquals(untouched, core, "residual of block " + b + " changed the core it was given");
            assertTrue(halos.sameValues(untouchedHalos), "residual of block " + b + " changed the halos it was given");
            assertEquals(
                    first,
                    block.residual(core, halos),
                    "residual of block " + b + " gave two answers for the same arguments");
            block.iterate(ensemble.halos(b));
            assertEquals(
                    first,
                    block.residual(core, halos),
                    "residual of block " + b + " changed when the block iterated; it must use its arguments and the"
                            + " immutable data of the problem only");
            Block other = model.block(ensemble.decomposition(), b, Resources.SINGLE);
            assertEquals(
                    first,
                    other.residual(core, halos),
                    "a newly opened block " + b + " gives another residual for the same arguments");
        }
    }

    static void leavesTheIterateAlone(Model model, int blocks) throws InvalidProblemException {
        InProcessSolver disturbed = stepped(model, blocks);
        InProcessSolver quiet = stepped(model, blocks);
        double[] vector = perturbed(quiet.vector(), 12);
        for (int round = 0; round < 3; round++) {
            disturbed.residual(vector);
            disturbed.step();
            quiet.step();
        }
        assertArrayEquals(
                quiet.vector(), disturbed.vector(), "evaluating residuals between iterations changed the iterates");
    }

    static void mayRunBesideIterate(Model model, int blocks) throws InvalidProblemException {
        InProcessSolver ensemble = stepped(model, blocks);
        double[] vector = perturbed(ensemble.vector(), 13);
        Block block = ensemble.block(0);
        double[] core = ensemble.positions().core(vector, 0);
        HaloBuffers halos = ensemble.positions().halos(vector, 0);
        Residual alone = block.residual(core, halos);
        AtomicBoolean done = new AtomicBoolean();
        AtomicReference<Throwable> crash = new AtomicReference<>();
        Thread compute = Thread.ofPlatform().name("iterating").start(() -> {
            try {
                while (!done.get()) {
                    block.iterate(ensemble.halos(0));
                }
            } catch (RuntimeException | Error e) {
                crash.set(e);
            }
        });
        try {
            for (int i = 0; i < CONCURRENT_EVALUATIONS; i++) {
                assertEquals(
                        alone,
                        block.residual(core, halos),
                        "residual of block 0 changed while the block was iterating on another thread; it must not use"
                                + " the block's working arrays");
            }
        } finally {
            done.set(true);
            join(compute);
        }
        if (crash.get() != null) {
            fail("iterate failed while residual ran on another thread", crash.get());
        }
    }

    static void isThatOfTheWholeProblem(Model model, int blocks) throws InvalidProblemException {
        InProcessSolver ensemble = stepped(model, blocks);
        double[] vector = perturbed(ensemble.vector(), 14);
        Residual parts = ensemble.residual(vector);
        Residual whole = InProcessSolver.open(model, 1).residual(vector);
        assertTrue(
                Double.isFinite(whole.norm()) && whole.norm() > 0,
                () -> "the residual of a perturbed vector is " + whole.norm());
        double slack = parts.roundoff() + whole.roundoff() + REORDERING * whole.norm();
        assertEquals(
                whole.norm(),
                parts.norm(),
                slack,
                "the norm over " + blocks + " blocks differs from that of a single block on the whole vector;"
                        + " check which halo values each row reads");
        assertEquals(
                whole.sumOfSquares(),
                parts.sumOfSquares(),
                REORDERING * whole.sumOfSquares(),
                "the sum of squares over " + blocks + " blocks differs from that of a single block; each row must count"
                        + " once, and read the right halo values");
    }

    private static InProcessSolver stepped(Model model, int blocks) throws InvalidProblemException {
        InProcessSolver ensemble = InProcessSolver.open(model, blocks);
        for (int i = 0; i < 3; i++) {
            ensemble.step();
        }
        return ensemble;
    }

    /** Near a real iterate, so that nonlinear problems stay in their domain, but smooth nowhere. */
    private static double[] perturbed(double[] vector, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        double size = Arrays.stream(vector).map(Math::abs).max().orElse(0);
        double[] perturbed = new double[vector.length];
        for (int i = 0; i < vector.length; i++) {
            perturbed[i] = vector[i] * random.nextDouble(0.9, 1.1) + 0.1 * size * random.nextDouble();
        }
        return perturbed;
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while a thread of the check was running", e);
        }
    }
}
