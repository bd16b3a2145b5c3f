// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.linear;

import dev.volary.solver.Decomposition;
import dev.volary.solver.Edge;
import dev.volary.solver.Halos;
import dev.volary.solver.InvalidProblemException;
import dev.volary.solver.Residual;
import dev.volary.solver.RoundBlock;
import dev.volary.solver.SentValues;
import java.util.Arrays;
import java.util.List;

/**
 * A block of a linear system that works in rounds. One iteration is an affine map of the newest values of all blocks: the weighted
 * sum of the iterates so far, the coarse correction on all values that the block reads, and the exact solve on its patch, of
 * which it keeps the core (two-level restricted additive Schwarz, X.-C. Cai and M. Sarkis, SIAM J. Sci. Comput. 21, 1999).
 *
 * <p>Without a map it is the solve on the patch alone.
 */
final class LinearRoundBlock implements RoundBlock {
    private final BlockRows certificate;
    private final BlockRows patch;
    private final PatchSolver solver;
    private final int core;
    private final int vectors;
    private final boolean contracts;
    private final List<Edge> incoming;
    private final SentValues sent;
    /** By row of the patch, and by unknown. */
    private final double[] rowFactors;

    private final double[] factors;
    /** By own unknown and halo slot: the coarse vectors C P of its block. */
    private final double[] prolongation;
    /** By slot, which of the blocks of a map owns it. */
    private final int[] mapPart;
    /** By own unknown: what it contributes to its own coarse equations, and to those of readers, by edge. */
    private final double[] ownColumns;

    private final double[][] sentColumns;
    private final double[] x;
    private final double[] begun;
    /** Whether no complete round has followed the last step, so that it may have led away from the solution. */
    private boolean isUnconfirmed;

    private final double[] residual;
    private final boolean[] fromMap;
    private final double[] map;
    private boolean isMapNew;
    private boolean hasMap;
    /** Loads of others may not belong to the values: the next iteration solves on the patch alone. */
    private boolean isRestored;

    private final double[][] pastValues;
    private final double[][] pastSteps;
    private final double[] dots = new double[IterateBasis.MOST];
    private int length;
    /** How many of the first iterates in the basis stand for a whole basis before. */
    private int kept;

    private final double[] combined;
    private double fingerprint = Double.NaN;
    private double roundResidual;
    private final StallWatch watch;

    LinearRoundBlock(LinearRounds rounds, int id) throws InvalidProblemException {
        Decomposition decomposition = rounds.decomposition();
        certificate = rounds.core(id);
        patch = rounds.patch(id);
        solver = rounds.solver(id);
        core = rounds.coreSize(id);
        vectors = rounds.vectors();
        contracts = rounds.contracts();
        incoming = decomposition.incoming(id);
        sent = new SentValues(decomposition, id);
        int[] rows = rounds.rows(id);
        double[] ofRows = rounds.scaling().rows();
        double[] ofColumns = rounds.scaling().columns();
        rowFactors = Arrays.stream(rows).mapToDouble(row -> ofRows[row]).toArray();
        factors = Arrays.stream(rows).mapToDouble(row -> ofColumns[row]).toArray();
        CoarseSpace space = rounds.space();
        prolongation = new double[patch.slots() * vectors];
        mapPart = new int[patch.slots()];
        int slot = 0;
        for (; slot < core; slot++) {
            prolong(rounds, space, rows[slot], slot);
        }
        for (int k = 0; k < incoming.size(); k++) {
            for (long unknown : incoming.get(k).values().indices(decomposition.unknowns())) {
                mapPart[slot] = k + 1;
                prolong(rounds, space, (int) unknown, slot++);
            }
        }
        ownColumns = new double[core * vectors];
        for (int i = 0; i < core; i++) {
            rounds.addCoarseColumn(space, id, rows[i], ownColumns, i * vectors);
        }
        List<Edge> outgoing = decomposition.outgoing(id);
        sentColumns = new double[outgoing.size()][];
        for (int k = 0; k < sentColumns.length; k++) {
            int[] positions = sent.positions(k);
            sentColumns[k] = new double[positions.length * vectors];
            for (int i = 0; i < positions.length; i++) {
                int reader = outgoing.get(k).to();
                rounds.addCoarseColumn(space, reader, rows[positions[i]], sentColumns[k], i * vectors);
            }
        }
        watch = new StallWatch(rounds.name());
        x = new double[patch.slots()];
        begun = new double[core];
        residual = new double[rows.length];
        fromMap = new boolean[incoming.size()];
        Arrays.fill(fromMap, true);
        map = new double[rounds.map(id)];
        int past = decomposition.blocks() == 1 ? 0 : IterateBasis.MOST;
        pastValues = new double[past][x.length];
        pastSteps = new double[past][core];
        combined = new double[core];
    }

    private void prolong(LinearRounds rounds, CoarseSpace space, int unknown, int slot) {
        for (int v = 0; v < vectors; v++) {
            prolongation[slot * vectors + v] = rounds.scaling().columns()[unknown] * space.at(unknown, v);
        }
    }

    /** Returns the maximum norm of the residual before this iteration. */
    @Override
    public double iterate(Halos newest) {
        takeHalos(newest);
        patch.residual(x, residual);
        roundResidual = 0;
        for (int i = 0; i < core; i++) {
            roundResidual = Math.max(roundResidual, Math.abs(residual[i]));
        }
        watch.residual(roundResidual);
        if (waits()) {
            return roundResidual;
        }
        recombine();
        System.arraycopy(x, 0, begun, 0, core);
        if (isMapNew && !isRestored) {
            addCoarse(corrections(), x);
        }
        boolean isStep = contracts || !isRestored;
        isMapNew = false;
        isRestored = false;
        patch.residual(x, residual);
        for (int i = 0; i < residual.length; i++) {
            residual[i] *= rowFactors[i];
        }
        solver.solve(residual);
        for (int i = 0; i < core; i++) {
            x[i] += factors[i] * residual[i];
        }
        if (isStep) {
            keepStep();
        }
        return roundResidual;
    }

    /**
     * Whether to leave the values as they are, because others do not belong to them: steps on values of different age lead away from
     * the solution where the iteration alone does not contract. The last step is taken back, and the basis is emptied.
     */
    private boolean waits() {
        if (contracts || isRestored || !isMapNew || map[map.length - IterateBasis.STATE] >= 0) {
            return false;
        }
        if (isUnconfirmed) {
            System.arraycopy(begun, 0, x, 0, core);
        }
        isUnconfirmed = false;
        isMapNew = false;
        length = 0;
        kept = 0;
        return true;
    }

    private void takeHalos(Halos halos) {
        int from = core;
        for (int k = 0; k < fromMap.length; k++) {
            int size = incoming.get(k).values().size();
            if (halos.fresh(k) || !fromMap[k]) {
                fromMap[k] = false;
                System.arraycopy(halos.values(k), 0, x, from, size);
            } else {
                Arrays.fill(x, from, from + size, 0);
                assume(k + 1, from, size);
            }
            from += size;
        }
    }

    /** What the coarse solution says of values that never came, the correction left out. */
    private void assume(int part, int from, int size) {
        if (!hasMap) {
            return;
        }
        int half = corrections();
        for (int slot = from; slot < from + size; slot++) {
            for (int v = 0; v < vectors; v++) {
                double coefficient = map[part * vectors + v] - (isMapNew ? map[half + part * vectors + v] : 0);
                x[slot] += prolongation[slot * vectors + v] * coefficient;
            }
        }
    }

    /** Where the corrections begin in a map. */
    private int corrections() {
        return vectors * (1 + incoming.size());
    }

    private void addCoarse(int from, double[] target) {
        for (int slot = 0; slot < target.length; slot++) {
            int at = from + mapPart[slot] * vectors;
            double sum = 0;
            for (int v = 0; v < vectors; v++) {
                sum += prolongation[slot * vectors + v] * map[at + v];
            }
            target[slot] += sum;
        }
    }

    /** Replaces the newest values by the weighted sum of all in the basis; a map that names another basis empties this one. */
    private void recombine() {
        int at = map.length - IterateBasis.STATE;
        int common = isMapNew ? Math.max((int) map[at], 0) : 0;
        fingerprint = isMapNew ? map[at + 1] : Double.NaN;
        if (common == 0 || common != length) {
            length = 0;
            kept = 0;
            return;
        }
        System.arraycopy(x, 0, pastValues[length - 1], 0, x.length);
        combine(pastValues, x);
        if (length == IterateBasis.MOST) {
            combine(pastSteps, combined);
            IterateBasis.keep(pastValues, kept, x);
            kept = IterateBasis.keep(pastSteps, kept, combined);
            length = kept;
        }
    }

    private void combine(double[][] past, double[] target) {
        int weights = map.length - IterateBasis.MOST;
        Arrays.fill(target, 0);
        for (int k = 0; k < length; k++) {
            double weight = map[weights + k];
            for (int i = 0; i < target.length; i++) {
                target[i] += weight * past[k][i];
            }
        }
    }

    private void keepStep() {
        if (pastSteps.length == 0) {
            return;
        }
        isUnconfirmed = true;
        double[] step = pastSteps[length++];
        for (int i = 0; i < core; i++) {
            step[i] = (x[i] - begun[i]) / factors[i];
        }
        for (int k = 0; k < length; k++) {
            double sum = 0;
            for (int i = 0; i < core; i++) {
                sum += step[i] * pastSteps[k][i];
            }
            dots[k] = sum;
        }
    }

    @Override
    public void takeMap(double[] values) {
        System.arraycopy(values, 0, map, 0, map.length);
        isMapNew = true;
        hasMap = true;
    }

    @Override
    public void writeLoad(double[] target) {
        int at = vectors * (2 + sentColumns.length);
        Arrays.fill(target, 0, at, 0);
        for (int i = 0; i < core; i++) {
            double scaled = x[i] / factors[i];
            double inverse = 1 / factors[i];
            for (int v = 0; v < vectors; v++) {
                target[v] += prolongation[i * vectors + v] * inverse * scaled;
                target[vectors + v] += ownColumns[i * vectors + v] * x[i];
            }
        }
        for (int k = 0; k < sentColumns.length; k++) {
            int from = (2 + k) * vectors;
            int[] positions = sent.positions(k);
            for (int i = 0; i < positions.length; i++) {
                for (int v = 0; v < vectors; v++) {
                    target[from + v] += sentColumns[k][i * vectors + v] * x[positions[i]];
                }
            }
        }
        target[at] = length;
        target[at + 1] = fingerprint;
        System.arraycopy(dots, 0, target, at + 2, IterateBasis.MOST);
    }

    @Override
    public double roundResidual() {
        return roundResidual;
    }

    /** One exact solve on the patch, whose overlap holds what the neighbors know of the core, repairs nearly all. */
    @Override
    public int healing(boolean fromCopy) {
        return 1;
    }

    @Override
    public void restoreFromMap(double[] values) {
        takeMap(values);
        Arrays.fill(x, 0);
        addCoarse(0, x);
        Arrays.fill(fromMap, true);
        forget();
    }

    private void forget() {
        isMapNew = false;
        isRestored = true;
        isUnconfirmed = false;
        length = 0;
        kept = 0;
        fingerprint = Double.NaN;
    }

    @Override
    public void copyCore(double[] target) {
        System.arraycopy(x, 0, target, 0, core);
    }

    @Override
    public void setCore(double[] values, Halos halos) {
        System.arraycopy(values, 0, x, 0, core);
        Arrays.fill(fromMap, false);
        takeHalos(halos);
        forget();
    }

    @Override
    public void writeHalo(Edge edge, double[] target) {
        sent.write(edge, x, target);
    }

    @Override
    public Residual residual(double[] values, Halos recorded) {
        double[] vector = new double[certificate.slots()];
        System.arraycopy(values, 0, vector, 0, core);
        certificate.takeHalos(recorded, vector);
        return certificate.certify(vector);
    }
}
