// SPDX-License-Identifier: Apache-2.0
package dev.volary.solver;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Runs a {@link CoarseModel} without a process for its coarse problem: every block keeps a copy of the coarse problem, sends
 * its load to all other blocks with its halo, and solves the coarse problem from the same loads (a redundant coarse solve, as
 * in W. Gropp, "Parallel computing and domain decomposition", 1992, and PETSc's PCREDUNDANT). Runtimes open every model
 * through {@link #of} and see plain blocks; see docs/decisions/0027-rounds-without-a-coarse-process.md.
 *
 * <p><b>Halos.</b> There is an edge for every ordered pair of blocks. A halo is the values of the edge's region; the extra values of
 * the model's own edge; the load of the source; 1 as a sign that the source has written
 * the halo, which an assumed or recorded one lacks; and the source's round residual, infinite before its first iteration.
 * Pairs that exchange nothing else have one unknown of the source as their region, because no recorded halo is empty.
 * Nothing reads it, and an iteration sends 0 in its place.
 */
public final class RedundantCoarseModel implements Model {
    /** Halos grow in number with the square of the blocks, and each block repeats the coarse work. */
    public static final int MOST_BLOCKS = 64;

    /** The sign that a halo was written, and the residual. */
    static final int TRAILER = 2;

    /** Coarse sweeps, residuals and interpolations of one round, for each coarse unknown. */
    private static final double WORK_PER_COARSE_UNKNOWN = 7;
    /** Values, right-hand side and correction, and a seventh more for the coarser levels. */
    private static final long BYTES_PER_COARSE_UNKNOWN = 4 * Double.BYTES;

    private final CoarseModel model;

    private RedundantCoarseModel(CoarseModel model) {
        this.model = model;
    }

    /** The model as runtimes run it: itself, unless it is a {@link CoarseModel}. */
    public static Model of(Model model) {
        return model instanceof CoarseModel coarse ? new RedundantCoarseModel(coarse) : model;
    }

    @Override
    public String field() {
        return model.field();
    }

    @Override
    public String unit() {
        return model.unit();
    }

    @Override
    public Shape unknowns() {
        return model.unknowns();
    }

    @Override
    public List<GridAxis> axes() {
        return model.axes();
    }

    @Override
    public Optional<Mesh> mesh() {
        return model.mesh();
    }

    /**
     * The model's own decomposition with an edge between every ordered pair of blocks. The model's edges come first, in their
     * order.
     *
     * @throws InvalidProblemException if there are more than {@link #MOST_BLOCKS} blocks, or the model refuses
     */
    @Override
    public Decomposition decompose(int blocks) throws InvalidProblemException {
        if (blocks > MOST_BLOCKS) {
            throw new InvalidProblemException(
                    "blocks",
                    "is " + blocks
                            + ", but a method that works in rounds sends a value from every block to every other",
                    "use at most " + MOST_BLOCKS + ", or choose another method");
        }
        Decomposition own = model.decompose(blocks);
        CoarseSizes sizes = model.coarse(own);
        List<Edge> edges = new ArrayList<>();
        for (Edge edge : own.edges()) {
            int extra = edge.extra() + sizes.load(edge.from()) + TRAILER;
            edges.add(new Edge(edge.from(), edge.to(), edge.values(), extra));
        }
        for (int from = 0; from < blocks; from++) {
            for (int to = 0; to < blocks; to++) {
                if (from != to && find(own, from, to).isEmpty()) {
                    Region first = first(own.parts().get(from).core());
                    edges.add(new Edge(from, to, first, sizes.load(from) + TRAILER));
                }
            }
        }
        return new Decomposition(own.unknowns(), parts(own, sizes), edges);
    }

    private static List<Subdomain> parts(Decomposition own, CoarseSizes sizes) {
        long coarse = 0;
        for (int b = 0; b < own.blocks(); b++) {
            coarse += sizes.load(b);
        }
        List<Subdomain> parts = new ArrayList<>();
        for (Subdomain part : own.parts()) {
            parts.add(new Subdomain(
                    part.id(),
                    part.core(),
                    part.bytes() + BYTES_PER_COARSE_UNKNOWN * coarse,
                    part.work() + WORK_PER_COARSE_UNKNOWN * coarse));
        }
        return parts;
    }

    private static Region first(Region core) {
        return switch (core) {
            case Box box -> {
                int[] lo = new int[box.axes()];
                int[] hi = new int[box.axes()];
                for (int a = 0; a < lo.length; a++) {
                    lo[a] = box.lo(a);
                    hi[a] = lo[a] + 1;
                }
                yield Box.of(lo, hi);
            }
            case IndexRange range -> new IndexRange(range.lo(), range.lo() + 1);
            case IndexList list -> IndexList.of(list.at(0));
        };
    }

    private static Optional<Edge> find(Decomposition decomposition, int from, int to) {
        return decomposition.outgoing(from).stream()
                .filter(edge -> edge.to() == to)
                .findFirst();
    }

    /**
     * A {@link RedundantCoarseBlock}, which starts from the interpolated coarse solution; in a model that marches in time a
     * {@link SteppedBlock} that starts from u⁰.
     */
    @Override
    public Block block(Decomposition decomposition, int id, Resources resources) throws InvalidProblemException {
        Decomposition own = model.decompose(decomposition.blocks());
        RoundBlock block = model.block(own, id, resources);
        CoarseBlock coarse = model.coarseBlock(own, resources);
        CoarseSizes sizes = model.coarse(own);
        List<Edge> incoming = decomposition.incoming(id);
        return block instanceof SteppedBlock
                ? new SteppedRedundantCoarseBlock(block, coarse, own, sizes, id, incoming)
                : new RedundantCoarseBlock(block, coarse, own, sizes, id, incoming);
    }

    @Override
    public void initialHalo(Edge edge, double[] target) {
        model.initialHalo(edge, target);
    }

    @Override
    public ResidualNorm residualNorm() {
        return model.residualNorm();
    }

    @Override
    public double scale() {
        return model.scale();
    }

    @Override
    public void selfCheck() throws InvalidProblemException {
        model.selfCheck();
    }

    @Override
    public double attainableFloor() {
        return model.attainableFloor();
    }

    @Override
    public Optional<TimeStepping> timeStepping() {
        return model.timeStepping();
    }

    @Override
    public Optional<String> method(Decomposition decomposition) {
        return model.method(decomposition);
    }

    @Override
    public boolean worksInRounds(Decomposition decomposition) {
        return true;
    }

    @Override
    public OptionalDouble predictedIterations(Decomposition decomposition, double factor) {
        return model.predictedIterations(decomposition, factor);
    }

    @Override
    public Optional<Preflight> preflight(Decomposition decomposition) {
        return model.preflight(decomposition);
    }
}
