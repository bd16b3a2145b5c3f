// SPDX-License-Identifier: Apache-2.0
package dev.volary.solver.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import dev.volary.solver.Decomposition;
import dev.volary.solver.Edge;
import dev.volary.solver.InvalidProblemException;
import dev.volary.solver.Model;
import dev.volary.solver.Shape;
import dev.volary.solver.Subdomain;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Checks of {@link Model#decompose}. */
final class DecompositionChecks {
    private static final int NOBODY = -1;

    private DecompositionChecks() {}

    static void coversEveryUnknownOnce(Model model, int blocks) throws InvalidProblemException {
        Decomposition decomposition = model.decompose(blocks);
        assertEquals(model.unknowns(), decomposition.unknowns(), "the decomposition has other unknowns than the model");
        assertEquals(blocks, decomposition.blocks(), "decompose(" + blocks + ") made another number of blocks");
        int[] owners = owners(decomposition);
        for (int i = 0; i < owners.length; i++) {
            if (owners[i] == NOBODY) {
                fail("unknown " + i + " lies in no core; the cores must cover every unknown");
            }
        }
    }

    static void edgesCarryWhatTheirSourceOwns(Model model, int blocks) throws InvalidProblemException {
        Decomposition decomposition = model.decompose(blocks);
        int[] owners = owners(decomposition);
        Set<List<Integer>> pairs = new HashSet<>();
        for (Edge edge : decomposition.edges()) {
            String name = "the edge from block " + edge.from() + " to block " + edge.to();
            assertTrue(
                    pairs.add(List.of(edge.from(), edge.to())),
                    () -> name + " exists twice; put everything one block reads from another into one edge");
            edge.values().forEach(decomposition.unknowns(), index -> {
                if (index >= owners.length || owners[(int) index] != edge.from()) {
                    fail(name + " carries unknown " + index + ", which does not lie in the core of block "
                            + edge.from());
                }
            });
        }
    }

    static void isDeterministic(ProblemUnderTest trial, int blocks) throws InvalidProblemException {
        assertEquals(
                trial.open().decompose(blocks),
                trial.open().decompose(blocks),
                "two workers that open the same problem must get the same decomposition; decompose must not depend on"
                        + " hash order, time or chance");
    }

    static void partsStateTheirCost(Model model, int blocks) throws InvalidProblemException {
        for (Subdomain part : model.decompose(blocks).parts()) {
            assertTrue(
                    part.bytes() >= Double.BYTES * (long) part.core().size(),
                    () -> "part " + part.id() + " states " + part.bytes() + " bytes for "
                            + part.core().size() + " unknowns; it needs at least 8 for each");
            assertTrue(
                    part.work() > 0 && Double.isFinite(part.work()),
                    () -> "part " + part.id() + " states the work " + part.work() + "; it must be positive");
        }
    }

    /** The block that owns each unknown; fails if two do. */
    private static int[] owners(Decomposition decomposition) {
        Shape shape = decomposition.unknowns();
        int[] owners = new int[Math.toIntExact(shape.size())];
        Arrays.fill(owners, NOBODY);
        for (Subdomain part : decomposition.parts()) {
            part.core().forEach(shape, index -> {
                if (index >= owners.length) {
                    fail("block " + part.id() + " owns unknown " + index + ", but there are only " + owners.length);
                }
                int owner = owners[(int) index];
                if (owner != NOBODY) {
                    fail("unknown " + index + " lies in the cores of both block " + owner + " and block " + part.id());
                }
                owners[(int) index] = part.id();
            });
        }
        return owners;
    }
}
