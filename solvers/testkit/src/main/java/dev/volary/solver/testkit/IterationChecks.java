// SPDX-License-Identifier: Apache-2.0
package dev.volary.solver.testkit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import com.sun.management.ThreadMXBean;
import dev.volary.solver.Block;
import dev.volary.solver.BoundaryFirst;
import dev.volary.solver.Edge;
import dev.volary.solver.HaloWriter;
import dev.volary.solver.InvalidProblemException;
import dev.volary.solver.Model;
import dev.volary.solver.Resources;
import dev.volary.solver.Sliced;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReference;

/** Checks of {@link Block#iterate} and of the optional interfaces. A block that lacks an interface passes its check. */
final class IterationChecks {
    private static final Resources TWO_THREADS = new Resources(2, Long.MAX_VALUE);
    private static final int BATCH = 50;

    /**
     * A runtime tries a snapshot at three times the tolerance at the latest (docs/explanation/certification.md, "when a
     * snapshot is tried").
     */
    private static final double HINT_SLACK = 3;

    private static final int HINT_LAG = 64;

    private IterationChecks() {}

    static void writesTheHalosItsCoreHolds(Model model, int blocks) throws InvalidProblemException {
        InProcessSolver ensemble = StateChecks.stepped(model, blocks);
        for (Edge edge : ensemble.decomposition().edges()) {
            if (ensemble.block(edge.from()) instanceof HaloWriter writer) {
                assertArrayEquals(
                        fromCore(ensemble, edge),
                        written(writer, edge),
                        "writeHalo from block " + edge.from() + " to block " + edge.to()
                                + " differs from the values copyCore returns for the same unknowns");
            }
        }
    }

    static void publishesFinalValuesBeforeTheInterior(Model model, int blocks) throws InvalidProblemException {
        InProcessSolver ensemble = StateChecks.stepped(model, blocks);
        InProcessSolver whole = StateChecks.stepped(model, blocks);
        for (int b = 0; b < blocks; b++) {
            if (!(ensemble.block(b) instanceof BoundaryFirst block)) {
                continue;
            }
            HaloBuffers halos = ensemble.halos(b);
            block.boundary(halos);
            double[][] early = ensemble.decomposition().outgoing(b).stream()
                    .map(edge -> written(block, edge))
                    .toArray(double[][]::new);
            double hint = block.interior(halos);
            for (int k = 0; k < early.length; k++) {
                Edge edge = ensemble.decomposition().outgoing(b).get(k);
                assertArrayEquals(
                        fromCore(ensemble, edge),
                        early[k],
                        "writeHalo after boundary() from block " + b + " to block " + edge.to()
                                + " differs from the core after interior()");
            }
            assertEquals(
                    whole.block(b).iterate(whole.halos(b)),
                    hint,
                    "interior() of block " + b + " returned another hint than iterate()");
            assertArrayEquals(
                    StateChecks.core(whole, b),
                    StateChecks.core(ensemble, b),
                    "boundary() and interior() of block " + b + " do not add up to iterate()");
        }
    }

    static void slicesAreIndependent(Model model, int blocks) throws InvalidProblemException {
        InProcessSolver ordered = InProcessSolver.open(model, blocks, TWO_THREADS);
        InProcessSolver reversed = InProcessSolver.open(model, blocks, TWO_THREADS);
        InProcessSolver parallel = InProcessSolver.open(model, blocks, TWO_THREADS);
        for (int round = 0; round < 3; round++) {
            for (int b = 0; b < blocks; b++) {
                if (!(reversed.block(b) instanceof Sliced backwards)
                        || !(parallel.block(b) instanceof Sliced sideBySide)) {
                    continue;
                }
                double hint = ordered.block(b).iterate(ordered.halos(b));
                for (int i = backwards.slices() - 1; i >= 0; i--) {
                    backwards.slice(i, reversed.halos(b));
                }
                slicesInTwoThreads(sideBySide, parallel.halos(b));
                assertEquals(
                        hint,
                        backwards.finish(reversed.halos(b)),
                        "finish() of block " + b + " depends on the order of the slices");
                assertEquals(
                        hint,
                        sideBySide.finish(parallel.halos(b)),
                        "finish() of block " + b + " returns another hint when slices run at the same time");
                assertArrayEquals(
                        StateChecks.core(ordered, b),
                        StateChecks.core(reversed, b),
                        "the slices of block " + b + " computed in reverse order give another result; a slice must not"
                                + " write what another reads");
                assertArrayEquals(
                        StateChecks.core(ordered, b),
                        StateChecks.core(parallel, b),
                        "the slices of block " + b + " computed at the same time give another result; a slice must not"
                                + " write what another reads");
            }
        }
    }

    private static void slicesInTwoThreads(Sliced block, HaloBuffers halos) {
        AtomicReference<Throwable> crash = new AtomicReference<>();
        Thread odd = Thread.ofPlatform().name("odd slices").start(() -> {
            try {
                sliceEverySecond(block, 1, halos);
            } catch (RuntimeException | Error e) {
                crash.set(e);
            }
        });
        sliceEverySecond(block, 0, halos);
        try {
            odd.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while a thread of the check was running", e);
        }
        if (crash.get() != null) {
            fail("a slice failed on another thread", crash.get());
        }
    }

    private static void sliceEverySecond(Sliced block, int first, HaloBuffers halos) {
        for (int i = first; i < block.slices(); i += 2) {
            block.slice(i, halos);
        }
    }

    static void threadsDoNotChangeTheResult(Model model, int blocks) throws InvalidProblemException {
        InProcessSolver single = InProcessSolver.open(model, blocks);
        InProcessSolver threaded = InProcessSolver.open(model, blocks, TWO_THREADS);
        for (int round = 0; round < 5; round++) {
            single.step();
            threaded.step();
        }
        assertArrayEquals(
                single.vector(), threaded.vector(), "a block opened for two threads computes another iteration");
    }

    /** The code that the compiler has not yet optimized may allocate, so it is given up to {@code warmUp} for each block. */
    static void doesNotAllocateOnceWarm(Model model, int blocks, Duration warmUp) throws InvalidProblemException {
        if (!(ManagementFactory.getThreadMXBean() instanceof ThreadMXBean threads)
                || !threads.isThreadAllocatedMemorySupported()) {
            fail("this JVM cannot measure allocation; run the test kit on HotSpot");
            return;
        }
        InProcessSolver ensemble = StateChecks.stepped(model, blocks);
        for (int b = 0; b < blocks; b++) {
            Block block = ensemble.block(b);
            HaloBuffers halos = ensemble.halos(b);
            long start = System.nanoTime();
            long allocated;
            do {
                long before = threads.getCurrentThreadAllocatedBytes();
                for (int i = 0; i < BATCH; i++) {
                    block.iterate(halos);
                }
                allocated = threads.getCurrentThreadAllocatedBytes() - before;
            } while (allocated > 0 && System.nanoTime() - start < warmUp.toNanos());
            assertEquals(
                    0,
                    allocated,
                    "block " + b + " still allocates after " + warmUp.toMillis() + " ms of iterating, bytes for each "
                            + BATCH + " iterations; keep its arrays in fields");
        }
    }

    static void hintFallsWithTheResidual(Model model, int blocks, double tolerance, long maxIterations)
            throws InvalidProblemException {
        InProcessSolver ensemble = InProcessSolver.open(model, blocks);
        double target = tolerance * model.scale();
        ensemble.solve(tolerance, (int) Math.min(Integer.MAX_VALUE, Math.ceilDiv(maxIterations, blocks)));
        double hint = Double.POSITIVE_INFINITY;
        // A hint may lag behind by some iterations, so it is given some to arrive.
        for (int i = 0; i < HINT_LAG; i++) {
            hint = ensemble.step();
        }
        double reached = hint;
        assertTrue(
                reached >= 0 && reached <= HINT_SLACK * target,
                () -> "iterate still returns the hint " + reached + " although the residual has been within " + target
                        + " for " + HINT_LAG
                        + " iterations; no snapshot would be tried. Is it in the units of scale()?");
    }

    private static double[] written(HaloWriter writer, Edge edge) {
        double[] target = new double[edge.values().size()];
        Arrays.fill(target, Double.NaN);
        writer.writeHalo(edge, target);
        return target;
    }

    private static double[] fromCore(InProcessSolver ensemble, Edge edge) {
        double[] core = StateChecks.core(ensemble, edge.from());
        return Arrays.stream(ensemble.positions().inSource(edge))
                .mapToDouble(i -> core[i])
                .toArray();
    }
}
