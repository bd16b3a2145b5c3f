// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.linear;

import dev.volary.solver.CoarseBlock;
import dev.volary.solver.Decomposition;
import dev.volary.solver.Edge;
import dev.volary.solver.InvalidProblemException;
import java.util.Arrays;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.factory.LinearSolverFactory_DDRM;
import org.ejml.interfaces.linsol.LinearSolverDense;
import org.jspecify.annotations.Nullable;

/**
 * The coarse equations PᵀA(x + P e) = Pᵀb of a linear system, solved exactly, and the weights of the blocks' iterates. Loads
 * are sums over the blocks' values, so the coarse residual is that of the very vector that the loads were made from.
 */
final class LinearCoarseBlock implements CoarseBlock {
    /** Error of a known solution, above which the coarse equations say nothing. */
    private static final double SINGULAR = 1e-3;

    /** By block, the blocks that read from it and those that it reads from. */
    private final int[][] readers;

    private final int[][] sources;
    private final int vectors;
    private final int size;
    private final double[] right;
    private final @Nullable LinearSolverDense<DMatrixRMaj> solver;
    private final DMatrixRMaj residual;
    private final DMatrixRMaj correction;
    private final double[] solution;
    private final double[] state;
    private final double[][] loads;
    private final boolean[] known;
    private boolean changed;
    private final double[] coefficients;
    private final double[] image;
    private final IterateBasis basis = new IterateBasis();
    private final double[][] pastCoefficients;
    private final double[][] pastImages;
    private final double[] dots = new double[IterateBasis.MOST];
    private final double[] weights = new double[IterateBasis.MOST];
    /** 0 while the bases are empty. */
    private int length;

    private boolean isConsistent;

    private double fingerprint;
    private final StallWatch watch;

    LinearCoarseBlock(LinearRounds rounds) throws InvalidProblemException {
        Decomposition decomposition = rounds.decomposition();
        vectors = rounds.vectors();
        int blocks = decomposition.blocks();
        size = blocks * vectors;
        readers = new int[blocks][];
        sources = new int[blocks][];
        for (int block = 0; block < blocks; block++) {
            readers[block] =
                    decomposition.outgoing(block).stream().mapToInt(Edge::to).toArray();
            sources[block] =
                    decomposition.incoming(block).stream().mapToInt(Edge::from).toArray();
        }
        CoarseSpace space = rounds.space();
        right = new double[size];
        for (int block = 0; block < blocks; block++) {
            for (int i = 0; i < rounds.coreSize(block); i++) {
                int row = rounds.rows(block)[i];
                double value = rounds.scaling().rows()[row] * rounds.right()[row];
                for (int v = 0; v < vectors; v++) {
                    right[block * vectors + v] += space.at(row, v) * value;
                }
            }
        }
        solver = solver(space.product(), size);
        residual = new DMatrixRMaj(size, 1);
        correction = new DMatrixRMaj(size, 1);
        solution = new double[size];
        state = new double[size];
        coefficients = new double[size];
        image = new double[size];
        loads = new double[blocks][];
        for (int block = 0; block < blocks; block++) {
            loads[block] = new double[rounds.load(block)];
        }
        known = new boolean[blocks];
        watch = new StallWatch(rounds.name());
        pastCoefficients = new double[IterateBasis.MOST][size];
        pastImages = new double[IterateBasis.MOST][size];
    }

    /** Null if the matrix is so close to singular that a known solution is not found again. */
    private static @Nullable LinearSolverDense<DMatrixRMaj> solver(double[] product, int size) {
        DMatrixRMaj sums = new DMatrixRMaj(size, 1);
        for (int i = 0; i < size; i++) {
            for (int j = 0; j < size; j++) {
                sums.data[i] += product[i * size + j];
            }
        }
        LinearSolverDense<DMatrixRMaj> lu = LinearSolverFactory_DDRM.lu(size);
        if (!lu.setA(DMatrixRMaj.wrap(size, size, product))) {
            return null;
        }
        DMatrixRMaj ones = new DMatrixRMaj(size, 1);
        lu.solve(sums, ones);
        for (int i = 0; i < size; i++) {
            if (!(Math.abs(ones.data[i] - 1) <= SINGULAR)) {
                return null;
            }
        }
        return lu;
    }

    @Override
    public void start() {
        System.arraycopy(right, 0, residual.data, 0, size);
        solve();
        System.arraycopy(correction.data, 0, state, 0, size);
        System.arraycopy(correction.data, 0, solution, 0, size);
        Arrays.fill(correction.data, 0, size, 0);
    }

    private void solve() {
        if (solver == null) {
            Arrays.fill(correction.data, 0, size, 0);
        } else {
            solver.solve(residual, correction);
        }
    }

    @Override
    public void load(int block, double[] values) {
        System.arraycopy(values, 0, loads[block], 0, loads[block].length);
        known[block] = true;
        changed = true;
    }

    /** Without new loads the last round stands. A load that has never come makes every correction wrong, so there is none. */
    @Override
    public void round() {
        if (!changed) {
            return;
        }
        changed = false;
        boolean complete = true;
        for (boolean k : known) {
            complete &= k;
        }
        assemble();
        int common = complete ? commonLength() : IterateBasis.INCONSISTENT;
        isConsistent = common != IterateBasis.INCONSISTENT;
        recombine(Math.max(common, 0));
        if (complete) {
            for (int i = 0; i < size; i++) {
                residual.data[i] = right[i] - image[i];
            }
            solve();
        } else {
            Arrays.fill(correction.data, 0, size, 0);
        }
        for (int i = 0; i < size; i++) {
            solution[i] = coefficients[i] + correction.data[i];
        }
    }

    private void assemble() {
        System.arraycopy(state, 0, coefficients, 0, size);
        Arrays.fill(image, 0);
        for (int block = 0; block < loads.length; block++) {
            if (known[block]) {
                System.arraycopy(loads[block], 0, coefficients, block * vectors, vectors);
                add(loads[block], vectors, block);
                int at = 2 * vectors;
                for (int reader : readers[block]) {
                    add(loads[block], at, reader);
                    at += vectors;
                }
            }
        }
    }

    private void add(double[] load, int from, int part) {
        for (int v = 0; v < vectors; v++) {
            image[part * vectors + v] += load[from + v];
        }
    }

    /** The length of the blocks' bases, if they have the same. A single block solves exactly and needs none. */
    private int commonLength() {
        if (loads.length == 1) {
            return 0;
        }
        int at = loads[0].length - IterateBasis.STATE;
        double first = loads[0][at];
        double print = loads[0][at + 1];
        for (double[] load : loads) {
            int state = load.length - IterateBasis.STATE;
            if (load[state] != first || (first > 0 && load[state + 1] != print)) {
                return IterateBasis.INCONSISTENT;
            }
        }
        return (int) first;
    }

    private void recombine(int common) {
        if (common != basis.length() + 1) {
            basis.clear();
        }
        length = common == basis.length() + 1 ? common : 0;
        double sum = 0;
        for (int i = 0; i < size; i++) {
            sum += (i + 1) * image[i];
        }
        fingerprint = length == 0 ? sum : 0.5 * fingerprint + sum;
        if (length == 0) {
            return;
        }
        Arrays.fill(dots, 0);
        for (double[] load : loads) {
            int from = load.length - IterateBasis.MOST;
            for (int i = 0; i < length; i++) {
                dots[i] += load[from + i];
            }
        }
        System.arraycopy(coefficients, 0, pastCoefficients[length - 1], 0, size);
        System.arraycopy(image, 0, pastImages[length - 1], 0, size);
        basis.add(dots);
        basis.weights(weights);
        watch.step(Math.sqrt(dots[length - 1]));
        combine(pastCoefficients, coefficients);
        combine(pastImages, image);
        if (basis.isFull()) {
            int kept = basis.kept();
            IterateBasis.keep(pastCoefficients, kept, coefficients);
            IterateBasis.keep(pastImages, kept, image);
            basis.restart(weights);
        }
    }

    private void combine(double[][] past, double[] target) {
        Arrays.fill(target, 0);
        for (int k = 0; k < length; k++) {
            for (int i = 0; i < size; i++) {
                target[i] += weights[k] * past[k][i];
            }
        }
    }

    @Override
    public void writeMap(int block, double[] target) {
        int at = write(solution, block, target, 0);
        for (int other : sources[block]) {
            at = write(solution, other, target, at);
        }
        at = write(correction.data, block, target, at);
        for (int other : sources[block]) {
            at = write(correction.data, other, target, at);
        }
        target[at] = isConsistent ? length : IterateBasis.INCONSISTENT;
        target[at + 1] = fingerprint;
        System.arraycopy(weights, 0, target, at + 2, IterateBasis.MOST);
    }

    private int write(double[] values, int part, double[] target, int at) {
        System.arraycopy(values, part * vectors, target, at, vectors);
        return at + vectors;
    }
}
