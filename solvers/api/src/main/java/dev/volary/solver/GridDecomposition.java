// SPDX-License-Identifier: Apache-2.0
package dev.volary.solver;

import java.util.ArrayList;
import java.util.List;

/**
 * Cuts a grid into boxes. {@link #star} is for a star stencil: each block reads the faces of the blocks beside it.
 * {@link #patches} is for multigrid in rounds: each block reads everything of its {@link GridPatch} that other blocks own.
 *
 * <p><b>Where it cuts.</b> The number of blocks is factored over the axes. Of all factorizations that fit, the one with the
 * smallest halo volume is taken, but the fastest axis stays whole (so that halos are contiguous in memory) as long as this at
 * most doubles the volume. Ties go to more cuts on the slower axes.
 *
 * <p><b>How it cuts an axis.</b> {@code n} points in {@code p} pieces: all of {@code ⌈n/p⌉} points and a smaller last one
 * where this leaves none empty, because then blocks are the chunks of a Zarr array; otherwise pieces that differ by one.
 */
public final class GridDecomposition {
    private static final double CONTIGUITY = 2;
    private static final long MOST_POINTS = 1 << 30;

    private GridDecomposition() {}

    /**
     * Cuts {@code unknowns} into {@code blocks} boxes, numbered in row-major order of their position.
     *
     * @param reach how far the stencil reaches along each axis, in points; halos are as thick, and no piece is thinner
     * @param bytesPerUnknown heap for each point of a block and of its halos
     * @param workPerUnknown cost of one iteration for each point of the core, in updates of an unknown
     * @throws InvalidProblemException naming {@code blocks}, if the grid cannot be cut into that many, or a block would have
     *     more than 2³⁰ points
     */
    public static Decomposition star(Shape unknowns, int blocks, int reach, long bytesPerUnknown, double workPerUnknown)
            throws InvalidProblemException {
        if (reach < 1) {
            throw new IllegalArgumentException("reach is " + reach + ", must be at least 1");
        }
        Cut cut = cut(unknowns, blocks, reach);
        List<Subdomain> parts = new ArrayList<>(blocks);
        List<Edge> edges = new ArrayList<>(2 * unknowns.axes() * blocks);
        for (int id = 0; id < blocks; id++) {
            Box core = cut.core(id);
            long points = core.size();
            for (int a = 0; a < unknowns.axes(); a++) {
                int position = cut.position(id, a);
                if (position > 0) {
                    points += addFace(edges, id - cut.stride[a], id, core, a, core.lo(a) - reach, core.lo(a));
                }
                if (position < cut.pieces[a] - 1) {
                    points += addFace(edges, id + cut.stride[a], id, core, a, core.hi(a), core.hi(a) + reach);
                }
            }
            parts.add(new Subdomain(id, core, points * bytesPerUnknown, core.size() * workPerUnknown));
        }
        return new Decomposition(unknowns, parts, edges);
    }

    /**
     * As {@link #star}, for several unknowns at each point. They are numbered by a further axis, the slowest: the unknowns are
     * {@code components × points}, and a block owns all components of its points.
     *
     * @param points extents of the grid
     * @param components unknowns at each point
     * @param bytesPerPoint heap for each point of a block and of its halos, for all components together
     * @param workPerPoint cost of one iteration for each point of the core, in updates of an unknown
     * @throws InvalidProblemException naming {@code blocks}, as for {@link #star}
     */
    public static Decomposition star(
            Shape points, int components, int blocks, int reach, long bytesPerPoint, double workPerPoint)
            throws InvalidProblemException {
        Decomposition grid = star(points, blocks, reach, bytesPerPoint, workPerPoint);
        List<Subdomain> parts = new ArrayList<>(blocks);
        for (Subdomain part : grid.parts()) {
            if ((long) components * part.core().size() > MOST_POINTS) {
                throw new InvalidProblemException(
                        "blocks",
                        "is " + blocks + ", which gives blocks of "
                                + (long) components * part.core().size() + " unknowns, more than an array can hold",
                        "use at least " + Math.ceilDiv(components * points.size(), MOST_POINTS));
            }
            parts.add(new Subdomain(part.id(), withComponents(part.core(), components), part.bytes(), part.work()));
        }
        List<Edge> edges = grid.edges().stream()
                .map(edge -> new Edge(edge.from(), edge.to(), withComponents(edge.values(), components)))
                .toList();
        int[] extents = new int[points.axes() + 1];
        extents[0] = components;
        System.arraycopy(points.extents(), 0, extents, 1, points.axes());
        return new Decomposition(Shape.of(extents), parts, edges);
    }

    private static Box withComponents(Region region, int components) {
        Box box = (Box) region;
        int[] lo = new int[box.axes() + 1];
        int[] hi = new int[box.axes() + 1];
        hi[0] = components;
        for (int a = 0; a < box.axes(); a++) {
            lo[a + 1] = box.lo(a);
            hi[a + 1] = box.hi(a);
        }
        return Box.of(lo, hi);
    }

    /**
     * Cuts {@code unknowns} as {@link #star} does, with an edge for every box that another block's core shares with a
     * block's {@link GridPatch}, corners included: up to 8 for blocks cut on two axes, 26 for three. Core and incoming edges
     * of a block together are the {@linkplain GridPatch#box() box of its patch}, each point once.
     *
     * @param overlap layers of points round its core that a block computes as well, at least 0
     * @param levels how often the grid is coarsened inside a block, at least 1; the patches are aligned to 2^levels
     * @param bytesPerUnknown heap for each point of a patch
     * @param workPerUnknown cost of one iteration for each point of a patch, in updates of an unknown
     * @throws InvalidProblemException naming {@code blocks}, as for {@link #star}, or {@code levels}, if the grid cannot be
     *     coarsened that often
     */
    public static Decomposition patches(
            Shape unknowns, int blocks, int overlap, int levels, long bytesPerUnknown, double workPerUnknown)
            throws InvalidProblemException {
        int most = GridPatch.deepestLevel(unknowns);
        if (levels < 1 || levels > most) {
            throw new InvalidProblemException(
                    "levels",
                    "is " + levels + ", but a grid of " + unknowns + " points can be coarsened " + most + " times",
                    most < 1 ? "use a larger grid" : "use 1 to " + most);
        }
        Cut cut = cut(unknowns, blocks, 1);
        List<Subdomain> parts = new ArrayList<>(blocks);
        List<Edge> edges = new ArrayList<>();
        for (int id = 0; id < blocks; id++) {
            Box core = cut.core(id);
            Box patch = GridPatch.around(core, unknowns, overlap, levels).box();
            for (int from = cut.next(-1, patch); from < blocks; from = cut.next(from, patch)) {
                if (from != id) {
                    edges.add(new Edge(from, id, cut.core(from).intersect(patch).orElseThrow()));
                }
            }
            parts.add(new Subdomain(id, core, patch.size() * bytesPerUnknown, patch.size() * workPerUnknown));
        }
        return new Decomposition(unknowns, parts, edges);
    }

    /**
     * The largest reach, at most {@code most}, for which {@link #star} can cut a grid into this number of boxes.
     *
     * @return 0 if there is none
     */
    public static int largestReach(Shape unknowns, int blocks, int most) {
        int reach = most;
        while (reach > 0 && (blocks < 1 || choose(unknowns, blocks, reach).length == 0)) {
            reach--;
        }
        return reach;
    }

    /** The number of pieces on each axis, or an empty array if there is no way. */
    static int[] choose(Shape shape, int blocks, int reach) {
        Search whole = new Search(shape, reach, true);
        whole.visit(0, blocks);
        Search any = new Search(shape, reach, false);
        any.visit(0, blocks);
        return whole.best.length > 0 && whole.volume <= CONTIGUITY * any.volume ? whole.best : any.best;
    }

    private static int largestPossible(Shape shape, int blocks, int reach) {
        // No factorization has more boxes than this, so the search below need not start higher.
        long most = 1;
        for (int axis = 0; axis < shape.axes(); axis++) {
            most = Math.min(blocks, most * Math.max(1, shape.extent(axis) / reach));
        }
        int count = (int) most;
        while (count > 1 && choose(shape, count, reach).length == 0) {
            count--;
        }
        return count;
    }

    /** Boundaries of the pieces of an axis: piece {@code i} is {@code [at[i], at[i + 1])}. */
    static int[] boundaries(int extent, int pieces) {
        int[] at = new int[pieces + 1];
        boolean regular = regular(extent, pieces);
        int chunk = Math.ceilDiv(extent, pieces);
        for (int i = 0; i <= pieces; i++) {
            at[i] = regular ? (int) Math.min(extent, (long) i * chunk) : (int) ((long) extent * i / pieces);
        }
        return at;
    }

    /** Whether chunks of {@code ⌈extent/pieces⌉} give exactly that many pieces, none empty. */
    static boolean regular(int extent, int pieces) {
        return (long) (pieces - 1) * Math.ceilDiv(extent, pieces) < extent;
    }

    private static int thinnest(int extent, int pieces) {
        return regular(extent, pieces) ? extent - (pieces - 1) * Math.ceilDiv(extent, pieces) : extent / pieces;
    }

    private static Cut cut(Shape unknowns, int blocks, int reach) throws InvalidProblemException {
        if (blocks < 1) {
            throw new InvalidProblemException("blocks", "is " + blocks, "use at least 1");
        }
        int[] pieces = choose(unknowns, blocks, reach);
        if (pieces.length == 0) {
            throw new InvalidProblemException(
                    "blocks",
                    "is " + blocks + ", but a grid of " + unknowns + " points cannot be cut into that many boxes",
                    "use " + largestPossible(unknowns, blocks, reach));
        }
        long largest = 1;
        for (int a = 0; a < pieces.length; a++) {
            largest *= Math.ceilDiv(unknowns.extent(a), pieces[a]);
        }
        if (largest > MOST_POINTS) {
            throw new InvalidProblemException(
                    "blocks",
                    "is " + blocks + ", which gives blocks of " + largest + " points, more than an array can hold",
                    "use at least " + Math.ceilDiv(unknowns.size(), MOST_POINTS));
        }
        return new Cut(unknowns, pieces);
    }

    private static int addFace(List<Edge> edges, int from, int to, Box core, int axis, int faceLo, int faceHi) {
        int[] lo = new int[core.axes()];
        int[] hi = new int[core.axes()];
        for (int a = 0; a < lo.length; a++) {
            lo[a] = a == axis ? faceLo : core.lo(a);
            hi[a] = a == axis ? faceHi : core.hi(a);
        }
        Box face = Box.of(lo, hi);
        edges.add(new Edge(from, to, face));
        return face.size();
    }

    /** The blocks of a grid with a number of pieces on each axis. */
    private static final class Cut {
        private final int[] pieces;
        private final int[][] at;
        private final int[] stride;
        private final int blocks;

        Cut(Shape shape, int[] pieces) {
            this.pieces = pieces;
            at = new int[pieces.length][];
            stride = new int[pieces.length];
            int count = 1;
            for (int a = pieces.length - 1; a >= 0; a--) {
                at[a] = boundaries(shape.extent(a), pieces[a]);
                stride[a] = count;
                count *= pieces[a];
            }
            blocks = count;
        }

        int position(int id, int axis) {
            return id / stride[axis] % pieces[axis];
        }

        Box core(int id) {
            int[] lo = new int[pieces.length];
            int[] hi = new int[pieces.length];
            for (int a = 0; a < pieces.length; a++) {
                lo[a] = at[a][position(id, a)];
                hi[a] = at[a][position(id, a) + 1];
            }
            return Box.of(lo, hi);
        }

        /** The first block after {@code id} that has points in a box, or the number of blocks if there is none. */
        int next(int id, Box box) {
            int candidate = id + 1;
            while (candidate < blocks) {
                int skip = skip(candidate, box);
                if (skip == 0) {
                    return candidate;
                }
                candidate += skip;
            }
            return blocks;
        }

        /** 0 if a block has points in the box, else how many blocks can be passed over. */
        private int skip(int id, Box box) {
            for (int a = 0; a < pieces.length; a++) {
                int position = position(id, a);
                if (at[a][position + 1] <= box.lo(a) || at[a][position] >= box.hi(a)) {
                    // All blocks of this slab that follow are outside as well.
                    return stride[a] - id % stride[a];
                }
            }
            return 0;
        }
    }

    /** Visits the factorizations of a number over the axes and keeps the best. */
    private static final class Search {
        private final Shape shape;
        private final int reach;
        private final boolean fastestWhole;
        private final int[] pieces;
        private int[] best = {};
        private double volume = Double.POSITIVE_INFINITY;

        Search(Shape shape, int reach, boolean fastestWhole) {
            this.shape = shape;
            this.reach = reach;
            this.fastestWhole = fastestWhole;
            this.pieces = new int[shape.axes()];
        }

        void visit(int axis, int left) {
            if (axis == pieces.length - 1) {
                if ((left == 1 || !fastestWhole) && fits(axis, left)) {
                    pieces[axis] = left;
                    judge();
                }
                return;
            }
            // Downwards, so that of equally good ways the one with more cuts on the slower axis comes first.
            for (int count = Math.min(left, shape.extent(axis)); count >= 1; count--) {
                if (left % count == 0 && fits(axis, count)) {
                    pieces[axis] = count;
                    visit(axis + 1, left / count);
                }
            }
        }

        private boolean fits(int axis, int count) {
            int extent = shape.extent(axis);
            return count == 1 || (count <= extent && thinnest(extent, count) >= reach);
        }

        private void judge() {
            double candidate = 0;
            for (int a = 0; a < pieces.length; a++) {
                candidate += 2.0 * reach * (pieces[a] - 1) * shape.size() / shape.extent(a);
            }
            if (candidate < volume) {
                volume = candidate;
                best = pieces.clone();
            }
        }
    }
}
