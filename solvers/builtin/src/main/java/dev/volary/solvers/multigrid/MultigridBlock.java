// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.multigrid;

import dev.volary.solver.Box;
import dev.volary.solver.Decomposition;
import dev.volary.solver.Edge;
import dev.volary.solver.GridPatch;
import dev.volary.solver.Halos;
import dev.volary.solver.Residual;
import dev.volary.solver.RoundBlock;
import dev.volary.solvers.kernel.RecordedResidual;
import dev.volary.solvers.kernel.SavedArrays;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;

/**
 * A block that runs one leg of a multigrid cycle on its patch in each iteration: up from the coarse solution, then down to
 * the load. The iteration ends at the bottom of the cycle, so that one exchange serves halos and coarse problem.
 *
 * <p>Level l of the patch has values u and right-hand side f. In messages and in what is saved, the correction c = u − I u of the next
 * finer level takes the place of the values of levels l ≥ 1; their right-hand sides go with it, as the owner of a point knows them
 * best. The map is the coarse solution U on the level below the last one of the patch, ghosts included.
 */
final class MultigridBlock implements RoundBlock {
    private static final int FINE_SWEEPS = 1;
    private static final int COARSE_SWEEPS = 2;
    /** Further sweeps over the {@link FreeBoundary}. */
    private static final int FINE_NEAR = 3;
    /** The same on coarser levels, there and in the coarse problem. */
    static final int COARSE_NEAR = 2;

    private final GridRounds rounds;
    private final List<Edge> incoming;
    private final List<Edge> outgoing;
    private final RecordedResidual certificate;
    /** The levels of the patch, and the level of the map as the last. */
    private final GridLevel[] levels;
    /** From each level to the next. */
    private final GridTransfer[] transfers;

    private final LevelBox core;
    private final LevelBox load;
    private final LevelBox mapBox;
    /** Boxes of what neighbors send and are sent, by edge and level. */
    private final LevelBox[][] received;

    private final LevelBox[][] sent;
    /** Whether a halo has ever come, so that its values are worth more than the block's own. */
    private final boolean[] known;

    private final double[] map;
    private boolean hasMap;
    /** Whether the map may not belong to the values, so that the next iteration takes no correction from it. */
    private boolean isRestored;
    /** Whether the block has no values yet that are better than a map's. */
    private boolean blank = true;

    private double residual;
    /** Whether the residual, the right-hand sides of the levels and the load are those of the values of the finest level. */
    private boolean restricted;

    MultigridBlock(GridRounds rounds, Decomposition decomposition, int id, RecordedResidual certificate) {
        this.rounds = rounds;
        GridOperator operator = rounds.operator();
        Box box = GridRounds.core(decomposition, id);
        GridPatch patch = rounds.patch(decomposition, id);
        int depth = rounds.levels();
        incoming = decomposition.incoming(id);
        outgoing = decomposition.outgoing(id);
        this.certificate = certificate;
        levels = new GridLevel[depth + 1];
        for (int l = 0; l <= depth; l++) {
            levels[l] = rounds.level(l, LevelBox.inside(patch, operator, l), l == 0);
        }
        core = LevelBox.within(box, operator, 0);
        transfers = new GridTransfer[depth];
        for (int l = 0; l < depth; l++) {
            transfers[l] = new GridTransfer(levels[l], levels[l + 1], l == 0 ? core : LevelBox.NONE);
        }
        load = rounds.loadBox(decomposition, id);
        mapBox = rounds.mapBox(decomposition, id);
        received = boxes(incoming, operator, depth);
        sent = boxes(outgoing, operator, depth);
        known = new boolean[incoming.size()];
        map = new double[levels[depth].u.length];
        rounds.setBoundary(levels[depth], depth, map);
        rounds.setSource(levels[0], 0);
    }

    private static LevelBox[][] boxes(List<Edge> edges, GridOperator operator, int depth) {
        LevelBox[][] boxes = new LevelBox[edges.size()][depth];
        for (int k = 0; k < boxes.length; k++) {
            if (!(edges.get(k).values() instanceof Box box)) {
                throw new IllegalArgumentException(edges.get(k) + " carries no box");
            }
            for (int l = 0; l < depth; l++) {
                boxes[k][l] = LevelBox.within(box, operator, l);
            }
        }
        return boxes;
    }

    @Override
    public double iterate(Halos newest) {
        blank = false;
        restrict();
        takeHalos(newest);
        int depth = transfers.length;
        takeCoarseCorrection();
        for (int l = depth - 1; l > 0; l--) {
            transfers[l].correctAndRelax(COARSE_SWEEPS, rounds.omega(l), COARSE_NEAR);
            transfers[l - 1].takeCorrection(levels[l].u);
        }
        residual = transfers[0].correctRelaxAndRestrict(2 * FINE_SWEEPS, rounds.omega(0), FINE_NEAR);
        for (int l = 1; l < depth; l++) {
            transfers[l].relaxAndRestrict(COARSE_SWEEPS, rounds.omega(l), COARSE_NEAR);
        }
        return residual;
    }

    /** What the map changes; nothing without one, and nothing at fixed points. */
    private void takeCoarseCorrection() {
        GridLevel coarse = levels[transfers.length];
        if (!hasMap || isRestored) {
            isRestored = false;
            Arrays.fill(coarse.c, 0);
            return;
        }
        transfers[transfers.length - 1].takeCorrection(map);
        coarse.clearFixedCorrections();
    }

    /** Computes what the values of the finest level say about the others, if they have changed since: a pass over all of them. */
    private void restrict() {
        if (restricted) {
            return;
        }
        residual = transfers[0].restrict();
        for (int l = 1; l < transfers.length; l++) {
            transfers[l].restrict();
        }
        restricted = true;
    }

    private void takeHalos(Halos halos) {
        for (int k = 0; k < received.length; k++) {
            if (halos.fresh(k) || known[k]) {
                takeHalo(k, halos.values(k));
            }
        }
    }

    private void takeHalo(int k, double[] values) {
        known[k] = true;
        int next = levels[0].copyIn(levels[0].u, received[k][0], values, 0);
        if (values.length >= size(received[k])) {
            for (int l = 1; l < transfers.length; l++) {
                next = levels[l].copyCorrectionsIn(received[k][l], values, next);
                transfers[l - 1].injectCorrected(received[k][l]);
                next = levels[l].copyIn(levels[l].f, received[k][l], values, next);
            }
        }
    }

    @Override
    public void writeHalo(Edge edge, double[] target) {
        LevelBox[] boxes = sentTo(edge);
        int next = levels[0].copyOut(levels[0].u, boxes[0], target, 0);
        if (target.length >= size(boxes)) {
            restrict();
            for (int l = 1; l < transfers.length; l++) {
                transfers[l - 1].takeCorrection(levels[l].u, boxes[l]);
                next = levels[l].copyCorrectionsOut(boxes[l], target, next);
                next = levels[l].copyOut(levels[l].f, boxes[l], target, next);
            }
        }
    }

    private LevelBox[] sentTo(Edge edge) {
        for (int k = 0; k < sent.length; k++) {
            if (outgoing.get(k).to() == edge.to()) {
                return sent[k];
            }
        }
        throw new IllegalArgumentException(edge + " does not start at this block");
    }

    private static int size(LevelBox[] boxes) {
        int size = boxes[0].size();
        for (int l = 1; l < boxes.length; l++) {
            size += 2 * boxes[l].size();
        }
        return size;
    }

    /** {@inheritDoc} A new block starts from the first one. */
    @Override
    public void takeMap(double[] values) {
        levels[transfers.length].copyIn(map, mapBox, values, 0);
        hasMap = true;
        if (blank) {
            interpolateMap();
        }
    }

    @Override
    public void writeLoad(double[] target) {
        restrict();
        GridLevel coarse = levels[transfers.length];
        int next = coarse.copyOut(coarse.f, load, target, 0);
        if (coarse.isConstrained()) {
            next = coarse.copyOut(coarse.u, load, target, next);
            coarse.copyFixedOut(load, target, next);
        }
    }

    @Override
    public double roundResidual() {
        restrict();
        return residual;
    }

    @Override
    public void restoreFromMap(double[] values) {
        takeMap(values);
        interpolateMap();
    }

    private void interpolateMap() {
        for (int l = 0; l < transfers.length; l++) {
            levels[l].clear();
        }
        double[] coarser = map;
        for (int l = transfers.length - 1; l >= 0; l--) {
            transfers[l].prolong(coarser);
            coarser = levels[l].u;
        }
        levels[0].project();
        Arrays.fill(known, false);
        blank = false;
        restricted = false;
    }

    @Override
    public void copyCore(double[] target) {
        levels[0].copyOut(levels[0].u, core, target, 0);
    }

    @Override
    public void setCore(double[] values, Halos halos) {
        levels[0].copyIn(levels[0].u, core, values, 0);
        for (int k = 0; k < received.length; k++) {
            takeHalo(k, halos.values(k));
        }
        blank = false;
        isRestored = true;
        restricted = false;
    }

    /** Sets the values of the patch and of the ghosts that are no boundary. */
    void setValues(GridLevel.PointSource values) {
        levels[0].setValues(values);
    }

    /** Begins a time step with the values of the patch: nothing that was received or computed for the last one is left. */
    void beginStep() {
        rounds.setSourceOfStep(levels[0], 0);
        blank = false;
        hasMap = false;
        isRestored = false;
        restricted = false;
    }

    /** Writes the right-hand side on the patch, which differs from step to step. */
    void saveSource(DataOutput out) throws IOException {
        levels[0].write(levels[0].f, out);
    }

    /** The reverse of {@link #saveSource}. */
    void loadSource(DataInput in) throws IOException {
        loadSource(levels[0], in);
        restricted = false;
    }

    private static void loadSource(GridLevel level, DataInput in) throws IOException {
        double[] values = new double[level.all.size()];
        SavedArrays.read(in, values);
        level.copyIn(level.f, level.all, values, 0);
    }

    @Override
    public Residual residual(double[] values, Halos recorded) {
        return certificate.of(values, recorded);
    }

    /** Corrections and right-hand sides of the levels between the finest and the map's. */
    @Override
    public void save(DataOutput out) throws IOException {
        restrict();
        for (int l = 1; l < transfers.length; l++) {
            transfers[l - 1].takeCorrection(levels[l].u);
            levels[l].writeCorrections(out);
            levels[l].write(levels[l].f, out);
        }
    }

    @Override
    public void load(DataInput in) throws IOException {
        restrict(); // what was saved replaces a part of it
        for (int l = 1; l < transfers.length; l++) {
            double[] corrections = new double[levels[l].all.size()];
            SavedArrays.read(in, corrections);
            levels[l].copyCorrectionsIn(levels[l].all, corrections, 0);
            transfers[l - 1].injectCorrected(levels[l].withGhosts);
            loadSource(levels[l], in);
        }
    }
}
