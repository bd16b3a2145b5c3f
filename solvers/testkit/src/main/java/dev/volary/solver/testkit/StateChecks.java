// SPDX-License-Identifier: Apache-2.0
package dev.volary.solver.testkit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.solver.Block;
import dev.volary.solver.Edge;
import dev.volary.solver.InvalidProblemException;
import dev.volary.solver.Model;
import dev.volary.solver.Resources;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;

/** Checks of what a block remembers: its core, what it saves, and what it must not keep. */
final class StateChecks {
    private static final int ITERATIONS = 3;

    private StateChecks() {}

    static void coreRoundTrip(Model model, int blocks) throws InvalidProblemException {
        InProcessSolver ensemble = stepped(model, blocks);
        for (int b = 0; b < blocks; b++) {
            double[] core = core(ensemble, b);
            for (int i = 0; i < core.length; i++) {
                core[i] += i + 1;
            }
            double[] expected = core.clone();
            ensemble.block(b).setCore(core, ensemble.halos(b));
            assertArrayEquals(
                    expected,
                    core(ensemble, b),
                    "copyCore of block " + b + " does not return what setCore was given, in the order of the region");
            Arrays.fill(core, Double.NaN);
            assertArrayEquals(
                    expected,
                    core(ensemble, b),
                    "block " + b + " kept the array that setCore was given; the runtime reuses it, so copy it");
        }
    }

    static void haloArraysAreOnlyBorrowed(Model model, int blocks) throws InvalidProblemException {
        InProcessSolver ensemble = stepped(model, blocks);
        InProcessSolver other = stepped(model, blocks);
        for (int b = 0; b < blocks; b++) {
            HaloBuffers halos = ensemble.halos(b).copy();
            ensemble.block(b).iterate(halos);
            assertTrue(
                    halos.sameValues(other.halos(b)),
                    "iterate of block " + b + " wrote into its halos; they are read-only");
            halos.spoil();
            other.block(b).iterate(other.halos(b));
            ensemble.block(b).iterate(ensemble.halos(b));
            other.block(b).iterate(other.halos(b));
            assertArrayEquals(
                    core(other, b),
                    core(ensemble, b),
                    "block " + b + " kept a halo array after iterate; the runtime reuses it, so copy what is needed");
        }
    }

    static void restoredBlockGoesOnBitwise(Model model, int blocks) throws InvalidProblemException {
        InProcessSolver ensemble = stepped(model, blocks);
        for (int b = 0; b < blocks; b++) {
            Block running = ensemble.block(b);
            HaloBuffers halos = ensemble.halos(b);
            // One more iteration, so that the halos passed to setCore are the ones the state was computed with.
            running.iterate(halos);
            Block restored = model.block(ensemble.decomposition(), b, Resources.SINGLE);
            restore(restored, core(ensemble, b), halos, save(running));
            for (int i = 1; i <= ITERATIONS; i++) {
                running.iterate(halos);
                restored.iterate(halos);
                double[] core = new double[core(ensemble, b).length];
                restored.copyCore(core);
                assertArrayEquals(
                        core(ensemble, b),
                        core,
                        "block " + b + ", restored by setCore and load, differs bitwise from the running one after " + i
                                + " iterations; save whatever the next iterate depends on beyond the core");
            }
        }
    }

    static void initialHalosAreFinite(Model model, int blocks) throws InvalidProblemException {
        for (Edge edge : model.decompose(blocks).edges()) {
            double[] assumed = new double[edge.values().size()];
            model.initialHalo(edge, assumed);
            for (double value : assumed) {
                assertTrue(
                        Double.isFinite(value),
                        () -> "initialHalo from block " + edge.from() + " to block " + edge.to() + " contains "
                                + value);
            }
        }
    }

    static byte[] save(Block block) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            block.save(out);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    static void restore(Block block, double[] core, HaloBuffers halos, byte[] saved) {
        block.setCore(core, halos);
        ByteArrayInputStream bytes = new ByteArrayInputStream(saved);
        try (DataInputStream in = new DataInputStream(bytes)) {
            block.load(in);
        } catch (IOException e) {
            throw new AssertionError("load could not read what save wrote (" + saved.length + " bytes)", e);
        }
        if (bytes.available() > 0) {
            throw new AssertionError(
                    "load left " + bytes.available() + " of the " + saved.length + " bytes that save wrote");
        }
    }

    static double[] core(InProcessSolver ensemble, int block) {
        double[] core =
                new double[ensemble.decomposition().parts().get(block).core().size()];
        ensemble.block(block).copyCore(core);
        return core;
    }

    static InProcessSolver stepped(Model model, int blocks) throws InvalidProblemException {
        InProcessSolver ensemble = InProcessSolver.open(model, blocks);
        for (int i = 0; i < ITERATIONS; i++) {
            ensemble.step();
        }
        return ensemble;
    }
}
