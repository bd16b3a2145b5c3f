// SPDX-License-Identifier: Apache-2.0
package dev.volary.simulator.scenario;

import dev.volary.solver.Box;
import dev.volary.solver.CoarseBlock;
import dev.volary.solver.CoarseModel;
import dev.volary.solver.CoarseSizes;
import dev.volary.solver.Decomposition;
import dev.volary.solver.Edge;
import dev.volary.solver.Halos;
import dev.volary.solver.InvalidProblemException;
import dev.volary.solver.Residual;
import dev.volary.solver.Resources;
import dev.volary.solver.RoundBlock;
import dev.volary.solver.Shape;
import dev.volary.solver.SteppedBlock;
import dev.volary.solver.Subdomain;
import dev.volary.solver.TimeStepping;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The problem of {@link LaplaceModel} in rounds, by two grids: blocks are strips of rows that overlap, and the coarse problem has
 * every second point of each axis. It is the full approximation scheme with bilinear interpolation and full weighting. The rows
 * around a strip are rows of the coarse grid, so that they are corrected like its own.
 *
 * <p>A load is the right-hand side of the coarse equations at the block's own coarse points. A map is the whole coarse solution.
 */
final class TwoGridModel implements CoarseModel {
    private static final int COARSE_SWEEPS = 30;
    private static final double OVERRELAXATION = 1.4;
    /** Rows of other blocks that a strip iterates. Its first row is even. */
    private static final int OVERLAP_ABOVE = 2;

    private static final int OVERLAP_BELOW = 1;

    private final LaplaceModel fine;
    private final int side;
    private final int coarseSide;

    /**
     * @param side odd, so that the boundary lies on both grids
     * @param steps in time; 0 for the stationary problem
     */
    TwoGridModel(int side, int steps) {
        if (side % 2 == 0) {
            throw new IllegalArgumentException("side is " + side + ", must be odd");
        }
        this.fine = new LaplaceModel(side, steps);
        this.side = side;
        this.coarseSide = side / 2;
    }

    /** As {@link LaplaceModel#inverseBound}. */
    double inverseBound() {
        return fine.inverseBound();
    }

    @Override
    public Optional<TimeStepping> timeStepping() {
        return fine.timeStepping();
    }

    @Override
    public Shape unknowns() {
        return fine.unknowns();
    }

    @Override
    public Decomposition decompose(int blocks) throws InvalidProblemException {
        int rows = (side + 1) / (2 * blocks) * 2;
        if (rows < OVERLAP_ABOVE + 2) {
            throw new InvalidProblemException("blocks", "is " + blocks + " for a plate of side " + side, "use fewer");
        }
        List<Subdomain> parts = new ArrayList<>();
        List<Edge> edges = new ArrayList<>();
        for (int b = 0; b < blocks; b++) {
            int top = b * rows;
            int bottom = b == blocks - 1 ? side : top + rows;
            Box core = rows(top, bottom);
            parts.add(new Subdomain(b, core, 16L * core.size(), core.size()));
            if (b > 0) {
                edges.add(new Edge(b, b - 1, rows(top, top + OVERLAP_BELOW + 1)));
            }
            if (b < blocks - 1) {
                edges.add(new Edge(b, b + 1, rows(bottom - OVERLAP_ABOVE - 1, bottom)));
            }
        }
        return new Decomposition(unknowns(), parts, edges);
    }

    private Box rows(int from, int to) {
        return Box.of(new int[] {from, 0}, new int[] {to, side});
    }

    @Override
    public double scale() {
        return fine.scale();
    }

    @Override
    public double attainableFloor() {
        return fine.attainableFloor();
    }

    @Override
    public CoarseSizes coarse(Decomposition decomposition) {
        return new CoarseSizes() {
            @Override
            public int load(int block) {
                return coarsePoints();
            }

            @Override
            public int map(int block) {
                return coarsePoints();
            }
        };
    }

    @Override
    public CoarseBlock coarseBlock(Decomposition decomposition, Resources resources) {
        return new CoarsePlate(decomposition);
    }

    @Override
    public RoundBlock block(Decomposition decomposition, int id, Resources resources) {
        Box core = (Box) decomposition.parts().get(id).core();
        Box patch =
                rows(Math.max(core.lo(0) - OVERLAP_ABOVE, 0), core.hi(0) == side ? side : core.hi(0) + OVERLAP_BELOW);
        return new Strip(fine.tile(core, patch, decomposition.incoming(id)), core, patch);
    }

    private int coarsePoints() {
        return coarseSide * coarseSide;
    }

    /** The fine row or column of a coarse one. */
    private static int fineIndex(int coarse) {
        return 2 * coarse + 1;
    }

    /** A function on the coarse grid and its boundary, where indices are −1 or {@link #coarseSide}. */
    private interface CoarseFunction {
        double at(int i, int j);
    }

    /** Interpolates at a fine point. */
    private static double interpolate(CoarseFunction values, int row, int column) {
        int top = Math.floorDiv(row - 1, 2);
        int bottom = Math.floorDiv(row, 2);
        int left = Math.floorDiv(column - 1, 2);
        int right = Math.floorDiv(column, 2);
        return (values.at(top, left) + values.at(top, right) + values.at(bottom, left) + values.at(bottom, right)) / 4;
    }

    /** Of the coarse equations: (4U − Σ four neighbors)/4 + σU, since the coarse grid has twice the spacing. */
    private double diagonal() {
        return 1 + fine.sigma();
    }

    private boolean isBoundary(int i, int j) {
        return i < 0 || j < 0 || i == coarseSide || j == coarseSide;
    }

    private final class Strip implements RoundBlock, SteppedBlock {
        private final LaplaceModel.Tile tile;
        private final Box patch;
        /** Rows of the core, counted from the first of the patch, and their end. */
        private final int top;

        private final int bottom;
        private final double[] map = new double[coarsePoints()];
        private double residual = Double.POSITIVE_INFINITY;

        Strip(LaplaceModel.Tile tile, Box core, Box patch) {
            this.tile = tile;
            this.patch = patch;
            top = core.lo(0) - patch.lo(0);
            bottom = top + core.extent(0);
        }

        private int first() {
            return patch.lo(0);
        }

        @Override
        public void takeMap(double[] newMap) {
            System.arraycopy(newMap, 0, map, 0, map.length);
        }

        @Override
        public void restoreFromMap(double[] newMap) {
            takeMap(newMap);
            CoarseFunction solution =
                    (i, j) -> isBoundary(i, j) ? fine.boundary(fineIndex(i), fineIndex(j)) : map[i * coarseSide + j];
            for (int r = 0; r < patch.extent(0); r++) {
                for (int c = 0; c < side; c++) {
                    tile.add(r, c, interpolate(solution, first() + r, c) - tile.value(r, c));
                }
            }
        }

        @Override
        public double iterate(Halos newest) {
            tile.takeRim(newest);
            correct();
            double hint = tile.sweep();
            residual = 0;
            for (int r = top; r < bottom; r++) {
                for (int c = 0; c < side; c++) {
                    residual = Math.max(residual, Math.abs(tile.residual(r, c)));
                }
            }
            return hint;
        }

        /** Adds the interpolated difference between the coarse solution and this iterate, around the patch too. */
        private void correct() {
            double[][] differences = new double[coarseSide][coarseSide];
            for (int i = 0; i < coarseSide; i++) {
                int r = fineIndex(i) - first();
                for (int j = 0; j < coarseSide && r >= -1 && r <= patch.extent(0); j++) {
                    differences[i][j] = map[i * coarseSide + j] - tile.value(r, fineIndex(j));
                }
            }
            CoarseFunction difference = (i, j) -> isBoundary(i, j) ? 0 : differences[i][j];
            for (int row = Math.max(first() - 1, 0); row <= Math.min(patch.hi(0), side - 1); row++) {
                for (int c = 0; c < side; c++) {
                    tile.add(row - first(), c, interpolate(difference, row, c));
                }
            }
        }

        @Override
        public void writeLoad(double[] target) {
            Arrays.fill(target, 0, coarsePoints(), 0);
            for (int i = 0; i < coarseSide; i++) {
                int r = fineIndex(i) - first();
                for (int j = 0; j < coarseSide && r >= top && r < bottom; j++) {
                    int c = fineIndex(j);
                    double neighbors =
                            tile.value(r - 2, c) + tile.value(r + 2, c) + tile.value(r, c - 2) + tile.value(r, c + 2);
                    target[i * coarseSide + j] =
                            restrictedResidual(r, c) + diagonal() * tile.value(r, c) - neighbors / 4;
                }
            }
        }

        /** Full weighting. */
        private double restrictedResidual(int r, int c) {
            double sum = 0;
            for (int dr = -1; dr <= 1; dr++) {
                for (int dc = -1; dc <= 1; dc++) {
                    sum -= (2 - Math.abs(dr)) * (2 - Math.abs(dc)) * tile.residual(r + dr, c + dc) / 16;
                }
            }
            return sum;
        }

        @Override
        public double roundResidual() {
            return residual;
        }

        @Override
        public void writeHalo(Edge edge, double[] target) {
            Box box = (Box) edge.values();
            int next = 0;
            for (int row = box.lo(0); row < box.hi(0); row++) {
                for (int c = box.lo(1); c < box.hi(1); c++) {
                    target[next++] = tile.value(row - first(), c);
                }
            }
        }

        @Override
        public void copyCore(double[] target) {
            tile.copyCore(target);
        }

        @Override
        public void setCore(double[] core, Halos halos) {
            tile.setCore(core, halos);
        }

        @Override
        public Residual residual(double[] core, Halos recorded) {
            return tile.residual(core, recorded);
        }

        @Override
        public int step() {
            return tile.step();
        }

        @Override
        public void commit(double[] certified, Halos halos) {
            tile.commit(certified, halos);
        }

        @Override
        public void save(DataOutput out) throws IOException {
            tile.save(out);
        }

        @Override
        public void load(DataInput in) throws IOException {
            tile.load(in);
        }
    }

    private final class CoarsePlate implements CoarseBlock {
        /** By row, the block that owns it. */
        private final int[] owners = new int[coarseSide];
        /** By block; none until one has come. */
        private final double[] @Nullable [] loads;

        private final double[] solution;
        private final double[] right;

        CoarsePlate(Decomposition decomposition) {
            loads = new double[decomposition.blocks()][];
            for (int b = 0; b < loads.length; b++) {
                Box core = (Box) decomposition.parts().get(b).core();
                for (int i = 0; i < coarseSide; i++) {
                    if (fineIndex(i) >= core.lo(0) && fineIndex(i) < core.hi(0)) {
                        owners[i] = b;
                    }
                }
            }
            solution = frame();
            right = frame();
        }

        /** The coarse grid with the boundary values around it. */
        private double[] frame() {
            double[] frame = new double[(coarseSide + 2) * (coarseSide + 2)];
            for (int i = -1; i <= coarseSide; i++) {
                for (int j = -1; j <= coarseSide; j++) {
                    frame[at(i, j)] = isBoundary(i, j) ? fine.boundary(fineIndex(i), fineIndex(j)) : 0;
                }
            }
            return frame;
        }

        private int at(int i, int j) {
            return (i + 1) * (coarseSide + 2) + j + 1;
        }

        private double neighbors(double[] values, int i, int j) {
            return (values[at(i - 1, j)] + values[at(i + 1, j)] + values[at(i, j - 1)] + values[at(i, j + 1)]) / 4;
        }

        @Override
        public void start() {
            for (int i = 0; i < coarseSide; i++) {
                for (int j = 0; j < coarseSide; j++) {
                    right[at(i, j)] = fine.sigma() * (1 + fine.boundary(fineIndex(i), fineIndex(j)));
                }
            }
            solve();
        }

        @Override
        public void nextStep() {
            Arrays.fill(loads, null);
        }

        @Override
        public void load(int block, double[] values) {
            loads[block] = values.clone();
        }

        @Override
        public void round() {
            for (int i = 0; i < coarseSide; i++) {
                double[] load = loads[owners[i]];
                for (int j = 0; j < coarseSide; j++) {
                    right[at(i, j)] = load == null
                            ? diagonal() * solution[at(i, j)] - neighbors(solution, i, j)
                            : load[i * coarseSide + j];
                }
            }
            solve();
        }

        private void solve() {
            for (int sweep = 0; sweep < COARSE_SWEEPS; sweep++) {
                for (int i = 0; i < coarseSide; i++) {
                    for (int j = 0; j < coarseSide; j++) {
                        double exact = (right[at(i, j)] + neighbors(solution, i, j)) / diagonal();
                        solution[at(i, j)] += OVERRELAXATION * (exact - solution[at(i, j)]);
                    }
                }
            }
        }

        @Override
        public void writeMap(int block, double[] target) {
            for (int i = 0; i < coarseSide; i++) {
                System.arraycopy(solution, at(i, 0), target, i * coarseSide, coarseSide);
            }
        }
    }
}
