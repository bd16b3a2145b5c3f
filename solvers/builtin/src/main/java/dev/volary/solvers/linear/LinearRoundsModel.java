// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.linear;

import dev.volary.solver.CoarseBlock;
import dev.volary.solver.CoarseModel;
import dev.volary.solver.CoarseSizes;
import dev.volary.solver.Decomposition;
import dev.volary.solver.InvalidProblemException;
import dev.volary.solver.Preflight;
import dev.volary.solver.Resources;
import dev.volary.solver.RoundBlock;
import dev.volary.solvers.multigrid.AutomaticModel;
import dev.volary.solvers.multigrid.SameEquations;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A linear system by two-level Schwarz in rounds (docs/explanation/problems.md, "Schwarz in rounds"). Every process that opens a
 * block computes the coarse space of all blocks from the matrix, once for each number of blocks.
 */
final class LinearRoundsModel extends SameEquations implements CoarseModel {
    /** What the factors of all patches may take while the coarse space is computed, in each process: some seconds of work. */
    private static final long MOST_SETUP_BYTES = 256L << 20;

    /** Rounds reduce the residual by 0.1 to 0.5 each. */
    private static final double RATE = 0.5;

    private static final int MOST_LAYERS = 3;

    /** Unknowns of the coarse problem, as long as every block has some: each block solves it in each round. */
    private static final int COARSE_UNKNOWNS = 256;

    private static final int FEWEST_VECTORS = 6;
    private static final int MOST_VECTORS = 16;
    /** Unknowns of a block for each coarse vector. */
    private static final int UNKNOWNS_OF_VECTOR = 16;

    private final LinearModel relaxed;
    private final int overlap;
    private final int vectors;
    private final Map<Integer, LinearRounds> rounds = new ConcurrentHashMap<>();

    /**
     * @param overlap layers of the matrix graph that a patch has round its core; 0 chooses
     * @param vectors coarse vectors of each block; 0 chooses
     */
    LinearRoundsModel(LinearModel relaxed, int overlap, int vectors) {
        super(relaxed);
        this.relaxed = relaxed;
        this.overlap = overlap;
        this.vectors = vectors;
    }

    /** Why this number of blocks cannot work in rounds; empty if it can. */
    Optional<String> objection(int blocks) {
        int rows = relaxed.matrix().size();
        double bytes = (double) LinearModel.factorBytes(
                        Math.max(1, rows / blocks), relaxed.matrix().entries() / blocks)
                * blocks;
        return bytes > MOST_SETUP_BYTES
                ? Optional.of("a matrix of " + rows + " rows in " + blocks + " blocks is too large for the setup of "
                        + LinearSystemMethod.Schwarz)
                : AutomaticModel.tooManyBlocks(LinearSystemMethod.Schwarz, blocks);
    }

    private LinearRounds rounds(int blocks) throws InvalidProblemException {
        LinearRounds known = rounds.get(blocks);
        if (known == null) {
            int[] owners = relaxed.owners(blocks);
            int layers =
                    overlap > 0 ? overlap : Patches.affordableLayers(relaxed.matrix(), owners, blocks, MOST_LAYERS);
            int k = vectors(blocks);
            Patches patches = Patches.of(
                    relaxed.matrix(),
                    owners,
                    blocks,
                    layers,
                    (rows, entries, halo) -> footprint(rows, entries, halo, k));
            known = new LinearRounds(
                    relaxed.source(),
                    LinearSystemMethod.Schwarz + ", overlap " + layers + ", vectors " + k,
                    relaxed.matrix(),
                    relaxed.right(),
                    relaxed.given(),
                    Equilibration.of(relaxed.matrix()),
                    patches,
                    k,
                    relaxed.isCertified());
            LinearRounds first = rounds.putIfAbsent(blocks, known);
            return first == null ? known : first;
        }
        return known;
    }

    private int vectors(int blocks) {
        int affordable = Math.min(COARSE_UNKNOWNS / blocks, relaxed.matrix().size() / (blocks * UNKNOWNS_OF_VECTOR));
        return vectors > 0 ? vectors : Math.clamp(affordable, FEWEST_VECTORS, MOST_VECTORS);
    }

    /** Rows, factors, coarse vectors and the basis of iterates. */
    private static long footprint(int rows, long entries, int halo, int vectors) {
        long slots = (long) rows + halo;
        return 24 * entries
                + 60L * rows
                + LinearModel.factorBytes(rows, entries)
                + 8L * slots * (2 + 4L * vectors + 2L * IterateBasis.MOST);
    }

    private LinearRounds rounds(Decomposition decomposition) {
        try {
            return rounds(decomposition.blocks());
        } catch (InvalidProblemException e) {
            throw new IllegalArgumentException(decomposition + " is not one of this model", e);
        }
    }

    @Override
    public Decomposition decompose(int blocks) throws InvalidProblemException {
        return rounds(blocks).decomposition();
    }

    @Override
    public CoarseSizes coarse(Decomposition decomposition) {
        return rounds(decomposition);
    }

    @Override
    public RoundBlock block(Decomposition decomposition, int id, Resources resources) throws InvalidProblemException {
        return new LinearRoundBlock(rounds(decomposition), id);
    }

    @Override
    public CoarseBlock coarseBlock(Decomposition decomposition, Resources resources) throws InvalidProblemException {
        return new LinearCoarseBlock(rounds(decomposition));
    }

    @Override
    public Optional<String> method(Decomposition decomposition) {
        return Optional.of(rounds(decomposition).name());
    }

    @Override
    public OptionalDouble predictedIterations(Decomposition decomposition, double factor) {
        return OptionalDouble.of(Preflight.iterations(RATE, factor));
    }

    /** Empty where every schedule converges without a coarse problem; else it says that nothing is known. */
    @Override
    public Optional<Preflight> preflight(Decomposition decomposition) {
        return decomposition.blocks() == 1 || relaxed.isCertified()
                ? Optional.empty()
                : Optional.of(new Preflight(
                        0,
                        Double.POSITIVE_INFINITY,
                        "no asynchronous guarantee: rounds usually converge, but no theory covers this matrix; "
                                + "a snapshot certifies the result as for every job"));
    }
}
