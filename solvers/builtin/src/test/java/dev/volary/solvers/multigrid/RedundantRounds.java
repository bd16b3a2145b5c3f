// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.multigrid;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.volary.solver.Decomposition;
import dev.volary.solver.Edge;
import dev.volary.solver.InvalidProblemException;
import dev.volary.solver.Model;
import dev.volary.solver.RedundantCoarseBlock;
import dev.volary.solver.RedundantCoarseModel;
import dev.volary.solver.Resources;
import dev.volary.solver.SteppedBlock;
import dev.volary.solver.testkit.HaloBuffers;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** All blocks of a model in one thread, each with a copy of the coarse problem; a test passes halos on and replaces blocks. */
public final class RedundantRounds {
    private final Model model;
    private final Decomposition decomposition;
    private final List<RedundantCoarseBlock> blocks = new ArrayList<>();
    private final List<HaloBuffers> halos = new ArrayList<>();
    private final List<double[]> committed = new ArrayList<>();

    /**
     * @param coarse a model that works in rounds
     */
    public RedundantRounds(Model coarse, int count) throws InvalidProblemException {
        model = RedundantCoarseModel.of(coarse);
        decomposition = model.decompose(count);
        for (int b = 0; b < count; b++) {
            blocks.add(open(b));
            halos.add(new HaloBuffers(decomposition.incoming(b)));
        }
    }

    /** Starts the same model again, from the vector that this has come to. */
    public RedundantRounds again(Model coarse) throws InvalidProblemException {
        RedundantRounds next = new RedundantRounds(coarse, blocks.size());
        List<double[]> cores = new ArrayList<>();
        for (int b = 0; b < blocks.size(); b++) {
            cores.add(core(b));
        }
        for (int b = 0; b < blocks.size(); b++) {
            next.halos.set(b, recorded(b, cores));
            next.block(b).setCore(cores.get(b), next.halos(b));
            next.block(b).startFromVector();
        }
        return next;
    }

    /** Opens a block that is not part of the ensemble. */
    public RedundantCoarseBlock open(int id) throws InvalidProblemException {
        return assertInstanceOf(RedundantCoarseBlock.class, model.block(decomposition, id, Resources.SINGLE));
    }

    /** Passes the halos of a block on. */
    public void publish(int from) {
        for (Edge edge : decomposition.outgoing(from)) {
            int k = decomposition.incoming(edge.to()).indexOf(edge);
            blocks.get(from).writeHalo(edge, halos.get(edge.to()).refill(k));
        }
    }

    /** Lets a block iterate on the newest halos, without passing its own on. */
    public void iterate(int id) {
        blocks.get(id).iterate(halos.get(id));
        halos.get(id).read();
    }

    /** A round of all blocks but one; −1 for none. */
    public void round(int dead) {
        for (int b = 0; b < blocks.size(); b++) {
            if (b != dead) {
                iterate(b);
            }
        }
        for (int b = 0; b < blocks.size(); b++) {
            if (b != dead) {
                publish(b);
            }
        }
    }

    public RedundantCoarseBlock block(int id) {
        return blocks.get(id);
    }

    /** What a block has received. */
    public HaloBuffers halos(int id) {
        return halos.get(id);
    }

    public Decomposition decomposition() {
        return decomposition;
    }

    /** Replaces a block by a new one without a copy, which finds its state from the loads of the others. */
    public void replaceFromLoads(int id) throws InvalidProblemException {
        RedundantCoarseBlock replacement = open(id);
        blocks.set(id, replacement);
        replacement.restoreFromLoads(halos.get(id));
        heal(id, false);
    }

    /** Replaces a block by a new one that is restored from a copy of the old one. */
    public void replaceFromCopy(int id) throws InvalidProblemException, IOException {
        double[] core = core(id);
        ByteArrayOutputStream saved = new ByteArrayOutputStream();
        blocks.get(id).save(new DataOutputStream(saved));
        RedundantCoarseBlock replacement = open(id);
        blocks.set(id, replacement);
        replacement.setCore(core, halos.get(id));
        replacement.load(new DataInputStream(new ByteArrayInputStream(saved.toByteArray())));
        heal(id, true);
    }

    /** Commits the vector as it stands on all blocks. */
    public void commit() {
        committed.clear();
        for (int b = 0; b < blocks.size(); b++) {
            committed.add(core(b));
        }
        for (int b = 0; b < blocks.size(); b++) {
            commitOn(b);
        }
        for (int b = 0; b < blocks.size(); b++) {
            publish(b);
        }
    }

    private void commitOn(int id) {
        assertInstanceOf(SteppedBlock.class, blocks.get(id)).commit(committed.get(id), recorded(id, committed));
    }

    /** Replaces a block by a new one in the first step, which receives the last commit until it is in the step of the others. */
    public void replaceFromCommit(int id) throws InvalidProblemException {
        int step = assertInstanceOf(SteppedBlock.class, blocks.get(id)).step();
        RedundantCoarseBlock replacement = open(id);
        blocks.set(id, replacement);
        while (assertInstanceOf(SteppedBlock.class, replacement).step() < step) {
            commitOn(id);
        }
        publish(id);
    }

    private void heal(int id, boolean fromCopy) {
        for (int i = 0; i < blocks.get(id).healing(fromCopy); i++) {
            iterate(id);
        }
        publish(id);
    }

    private double[] core(int id) {
        double[] core = new double[decomposition.parts().get(id).core().size()];
        blocks.get(id).copyCore(core);
        return core;
    }

    /** What a snapshot of this instant would certify, relative to the scale. */
    public double certified() {
        List<double[]> cores = new ArrayList<>();
        for (int b = 0; b < blocks.size(); b++) {
            cores.add(core(b));
        }
        double largest = 0;
        for (int b = 0; b < blocks.size(); b++) {
            largest = Math.max(
                    largest,
                    blocks.get(b).residual(cores.get(b), recorded(b, cores)).norm());
        }
        return largest / model.scale();
    }

    /** A recorded halo holds zeros where loads and corrections would be. */
    private HaloBuffers recorded(int id, List<double[]> cores) {
        HaloBuffers recorded = new HaloBuffers(decomposition.incoming(id));
        for (int k = 0; k < recorded.size(); k++) {
            gather(decomposition.incoming(id).get(k), cores, recorded.refill(k));
        }
        return recorded;
    }

    private void gather(Edge edge, List<double[]> cores, double[] target) {
        long[] owned = decomposition.parts().get(edge.from()).core().indices(decomposition.unknowns());
        long[] wanted = edge.values().indices(decomposition.unknowns());
        for (int i = 0; i < wanted.length; i++) {
            target[i] = cores.get(edge.from())[Arrays.binarySearch(owned, wanted[i])];
        }
    }

    /** Rounds until {@link #certified} is within a tolerance. */
    public int roundsTo(double tolerance, int most) {
        for (int count = 1; count <= most; count++) {
            round(-1);
            if (certified() <= tolerance) {
                return count;
            }
        }
        throw new AssertionError("residual " + certified() + " after " + most + " rounds");
    }
}
