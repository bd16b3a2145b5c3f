// SPDX-License-Identifier: Apache-2.0
package dev.volary.solver.testkit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.solver.Block;
import dev.volary.solver.InvalidProblemException;
import dev.volary.solver.Model;
import dev.volary.solver.Residual;
import dev.volary.solver.Resources;
import dev.volary.solver.SteppedBlock;
import java.util.Arrays;

/** Checks of {@link SteppedBlock}. A stationary model passes them all, if its blocks are stationary too. */
final class StepChecks {
    private static final int MOST_STEPS = 3;
    private static final int ITERATIONS = 3;

    private StepChecks() {}

    static void modelAndBlocksAgreeOnMarching(Model model, int blocks) throws InvalidProblemException {
        InProcessSolver ensemble = InProcessSolver.open(model, blocks);
        for (int b = 0; b < blocks; b++) {
            if (model.timeStepping().isEmpty()) {
                assertTrue(
                        !(ensemble.block(b) instanceof SteppedBlock),
                        "block " + b + " is a SteppedBlock, but the model has no timeStepping()");
            } else {
                assertEquals(1, ensemble.stepped(b).step(), "a new block " + b + " must be in step 1");
            }
        }
    }

    /** Blocks that were at different iterations, on different halos, are the same after they commit the same vector. */
    static void commitForgetsWhatWasIterated(Model model, int blocks) throws InvalidProblemException {
        if (model.timeStepping().isEmpty()) {
            return;
        }
        InProcessSolver early = StateChecks.stepped(model, blocks);
        double[] certified = early.vector();
        InProcessSolver late = StateChecks.stepped(model, blocks);
        for (int i = 0; i < ITERATIONS; i++) {
            iterateElsewhere(late, certified);
        }
        early.commit(certified);
        late.commit(certified);
        for (int b = 0; b < blocks; b++) {
            assertEquals(2, early.stepped(b).step(), "the first commit of block " + b + " must lead to step 2");
        }
        for (int i = 0; i <= ITERATIONS; i++) {
            assertArrayEquals(
                    early.vector(),
                    late.vector(),
                    "blocks that had iterated beyond the certified vector differ " + i + " iterations after its commit;"
                            + " nothing of the old step, halos included, may be left");
            early.step();
            late.step();
        }
    }

    /** Iterates every block on halos that are off by a tenth, so that no two iterates are the same by chance. */
    private static void iterateElsewhere(InProcessSolver ensemble, double[] vector) {
        double size = Arrays.stream(vector).map(Math::abs).max().orElse(0);
        for (int b = 0; b < ensemble.decomposition().blocks(); b++) {
            HaloBuffers halos = ensemble.halos(b).copy();
            for (int k = 0; k < halos.size(); k++) {
                double[] values = halos.refill(k);
                Arrays.setAll(values, i -> values[i] + 0.1 * size);
            }
            ensemble.block(b).iterate(halos);
        }
    }

    static void commitBorrowsItsArrays(Model model, int blocks) throws InvalidProblemException {
        if (model.timeStepping().isEmpty()) {
            return;
        }
        InProcessSolver spoiled = StateChecks.stepped(model, blocks);
        InProcessSolver quiet = StateChecks.stepped(model, blocks);
        double[] certified = quiet.vector();
        quiet.commit(certified);
        for (int b = 0; b < blocks; b++) {
            double[] core = spoiled.positions().core(certified, b);
            HaloBuffers halos = spoiled.positions().halos(certified, b);
            spoiled.stepped(b).commit(core, halos);
            assertArrayEquals(
                    quiet.positions().core(certified, b),
                    core,
                    "commit of block " + b + " changed the core it was given");
            Arrays.fill(core, Double.NaN);
            halos.spoil();
            Block block = quiet.block(b);
            HaloBuffers newest = quiet.halos(b);
            block.iterate(newest);
            spoiled.block(b).iterate(newest);
            assertArrayEquals(
                    StateChecks.core(quiet, b),
                    StateChecks.core(spoiled, b),
                    "block " + b + " kept an array that commit was given; the runtime reuses it, so copy it");
        }
    }

    /** A block that was saved in one step and restored is in that step, whatever it was opened in. */
    static void savedStepIsRestored(Model model, int blocks) throws InvalidProblemException {
        if (model.timeStepping().isEmpty()) {
            return;
        }
        InProcessSolver ensemble = StateChecks.stepped(model, blocks);
        double[] certified = ensemble.vector();
        byte[][] before = new byte[blocks][];
        for (int b = 0; b < blocks; b++) {
            before[b] = StateChecks.save(ensemble.block(b));
        }
        ensemble.commit(certified);
        for (int b = 0; b < blocks; b++) {
            byte[] saved = StateChecks.save(ensemble.block(b));
            double[] core = StateChecks.core(ensemble, b);
            SteppedBlock restored = reopened(model, ensemble, b);
            StateChecks.restore(restored, core.clone(), ensemble.halos(b).copy(), saved);
            assertGoesOnAs(ensemble, b, restored, certified, "restored from what it saved after the commit");

            StateChecks.restore(
                    ensemble.block(b), core.clone(), ensemble.halos(b).copy(), saved);
            SteppedBlock behind = reopened(model, ensemble, b);
            double[] own = ensemble.positions().core(certified, b);
            HaloBuffers halos = ensemble.positions().halos(certified, b);
            StateChecks.restore(behind, own.clone(), halos.copy(), before[b]);
            assertEquals(1, behind.step(), "block " + b + ", restored from what it saved in step 1, must be in step 1");
            behind.commit(own, halos);
            assertGoesOnAs(ensemble, b, behind, certified, "restored in step 1 and then given the same commit");
        }
    }

    private static SteppedBlock reopened(Model model, InProcessSolver ensemble, int b) throws InvalidProblemException {
        return (SteppedBlock) model.block(ensemble.decomposition(), b, Resources.SINGLE);
    }

    private static void assertGoesOnAs(
            InProcessSolver ensemble, int b, SteppedBlock restored, double[] vector, String how) {
        assertEquals(ensemble.stepped(b).step(), restored.step(), "block " + b + ", " + how + ", is in another step");
        HaloBuffers recorded = ensemble.positions().halos(vector, b);
        double[] own = ensemble.positions().core(vector, b);
        assertEquals(
                ensemble.block(b).residual(own, recorded),
                restored.residual(own, recorded),
                "block " + b + ", " + how + ", has another residual; save the values that were committed");
        HaloBuffers halos = ensemble.halos(b);
        for (int i = 1; i <= ITERATIONS; i++) {
            ensemble.block(b).iterate(halos);
            restored.iterate(halos);
            double[] core = new double[own.length];
            restored.copyCore(core);
            assertArrayEquals(
                    StateChecks.core(ensemble, b),
                    core,
                    "block " + b + ", " + how + ", differs bitwise from the running one after " + i + " iterations");
        }
    }

    /** Each step solved in blocks is, by one block on the whole vector, solved too; and each step is a new problem. */
    static void stepsAreThoseOfTheWholeProblem(Model model, int blocks, double tolerance, int maxIterations)
            throws InvalidProblemException {
        if (model.timeStepping().isEmpty()) {
            return;
        }
        InProcessSolver parts = InProcessSolver.open(model, blocks);
        InProcessSolver whole = InProcessSolver.open(model, 1);
        double target = tolerance * model.scale();
        int steps = Math.min(MOST_STEPS, model.timeStepping().get().steps());
        for (int step = 1; step <= steps; step++) {
            double[] solved = parts.solve(tolerance, maxIterations).vector();
            Residual residual = whole.residual(solved);
            assertTrue(
                    residual.norm() <= target + residual.roundoff(),
                    "step " + step + ", solved in " + blocks + " blocks to " + target + ", has the residual "
                            + residual.norm() + " in a single block that committed the same vectors");
            parts.commit(solved);
            whole.commit(solved);
            double next = parts.residual(solved).norm();
            assertTrue(
                    step > 1 || next > target,
                    "the result of step 1 solves step 2 as well: its residual there is " + next + "; either commit does"
                            + " not change the equations, or the parameters of this test make nothing happen in a step");
        }
    }
}
